//! Edits a notice in the operator's editor. The edit is a draft until it is valid and stored.

use anyhow::{Context, bail};
use ingest::{batch::StoredNotice, markdown};
use sha2::{Digest, Sha256};
use std::{
    fs,
    io::{self, IsTerminal, Read},
    path::PathBuf,
    process::{Command, Stdio},
};
use tender_model::tender::Tender;

/// The suffix of a draft.
const DRAFT_SUFFIX: &str = ".edit.md";

/// The draft of a notice.
pub(crate) struct Draft(PathBuf);

impl Draft {
    /// The draft of a notice: a hidden file beside the notice. A hash of the current state is part
    /// of the file name, so that a draft of an earlier state is not continued.
    pub(crate) fn of(entry: &StoredNotice, before: &Tender) -> anyhow::Result<Self> {
        let state = markdown::write(before, None)?;
        let state = hex::encode(&Sha256::digest(state.as_bytes())[..4]);
        Ok(Self(entry.folder().join(format!("{}{state}{DRAFT_SUFFIX}", draft_prefix(entry)))))
    }

    /// Opens the draft in the editor, and creates the file if necessary. Returns the edited tender;
    /// `None` if nothing was changed.
    pub(crate) fn edit(&self, before: &Tender) -> anyhow::Result<Option<Tender>> {
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
        // The variable may contain arguments, as in `code --wait`.
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
        let mut after = markdown::read(&text)
            .with_context(|| format!("{}: `edit` continues with it", self.kept_message()))?;
        // The sources, the id, the status and the need for review cannot be edited.
        after.sources.clone_from(&before.sources);
        (after.id, after.status, after.needs_review) = (before.id, before.status, before.needs_review);
        Ok((after != *before).then_some(after))
    }

    /// The message that the draft is kept.
    pub(crate) fn kept_message(&self) -> String {
        format!("{} is kept as you left it", self.0.display())
    }

    /// Removes the draft.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes the drafts of a notice that was decided.
pub(crate) fn remove_drafts(entry: &StoredNotice) {
    let prefix = draft_prefix(entry);
    let files = fs::read_dir(entry.folder()).into_iter().flatten().flatten();
    for file in files.filter(|file| {
        let name = file.file_name();
        let name = name.to_string_lossy();
        name.starts_with(&prefix) && name.ends_with(DRAFT_SUFFIX)
    }) {
        let _ = fs::remove_file(file.path());
    }
}

fn draft_prefix(entry: &StoredNotice) -> String {
    let key: String = entry.notice.key.chars().filter(char::is_ascii_hexdigit).take(8).collect();
    format!(".{}.{key}.", entry.notice.name)
}
