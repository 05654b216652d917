//! A notice's file in the operator's own editor. What was written there and is no notice is kept until it is one.

use anyhow::{Context, bail};
use index::tender::Tender;
use ingest::{batch::StoredNotice, markdown};
use sha2::{Digest, Sha256};
use std::{
    fs,
    io::{self, IsTerminal, Read},
    path::PathBuf,
    process::{Command, Stdio},
};

/// Ends the name of what an editor has in hand.
const DRAFT: &str = ".edit.md";

/// A notice's file as an operator has it in hand.
pub(crate) struct Draft(PathBuf);

impl Draft {
    /// The draft of a notice that says this. It is hidden, so that nobody takes it for a notice. One of this very notice as it is now is
    /// gone on with; one of an earlier state would undo what was done since.
    pub(crate) fn of(entry: &StoredNotice, before: &Tender) -> anyhow::Result<Self> {
        let state = markdown::write(before, None)?;
        let state = hex::encode(&Sha256::digest(state.as_bytes())[..4]);
        Ok(Self(entry.folder().join(format!("{}{state}{DRAFT}", drafts_of(entry)))))
    }

    /// The tender as the operator left it in the editor; `None` where nothing was changed.
    pub(crate) fn edited(&self, before: &Tender) -> anyhow::Result<Option<Tender>> {
        let editor =
            ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
        if editor.trim().is_empty() {
            bail!("no editor is set; set EDITOR, or write `edit FIELD=VALUE`");
        }
        let Self(draft) = self;
        if !draft.exists() {
            fs::write(draft, markdown::write(before, None)?)
                .with_context(|| format!("{}: cannot be written", draft.display()))?;
        }
        let stdin = if io::stdin().is_terminal() { Stdio::inherit() } else { Stdio::null() };
        // The variable may hold arguments too, as `code --wait`.
        let ended = Command::new("sh")
            .args(["-c", "eval \"$0 \\\"\\$1\\\"\"", &editor])
            .arg(draft)
            .stdin(stdin)
            .status()
            .with_context(|| format!("`{editor}` cannot be started; check EDITOR"))?;
        if !ended.success() {
            bail!("`{editor}` ended with {ended}; nothing was changed");
        }
        let mut text = String::new();
        fs::File::open(draft)?.take(markdown::MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
        let mut after =
            markdown::read(&text).with_context(|| format!("{}: `edit` goes on with it", self.kept()))?;
        // Where it was printed and whether it waits are not the editor's to say.
        after.sources.clone_from(&before.sources);
        (after.id, after.status, after.needs_review) = (before.id, before.status, before.needs_review);
        Ok((after != *before).then_some(after))
    }

    /// Where it is, for who could not do with it what was wanted.
    pub(crate) fn kept(&self) -> String {
        format!("{} is kept as you left it", self.0.display())
    }

    /// Removes it, once its notice says so.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes what was left half written of a notice that is decided now.
pub(crate) fn forget_drafts(entry: &StoredNotice) {
    let begins = drafts_of(entry);
    let stored_notices = fs::read_dir(entry.folder()).into_iter().flatten().flatten();
    for file in stored_notices.filter(|file| {
        let name = file.file_name();
        let name = name.to_string_lossy();
        name.starts_with(&begins) && name.ends_with(DRAFT)
    }) {
        let _ = fs::remove_file(file.path());
    }
}

fn drafts_of(entry: &StoredNotice) -> String {
    let key: String = entry.notice.key.chars().filter(char::is_ascii_hexdigit).take(8).collect();
    format!(".{}.{key}.", entry.notice.name)
}
