//! A notice's file in the operator's own editor. What was written there and is no notice is kept until it is one.

use anyhow::{Context, bail};
use index::tender::Tender;
use ingest::{batch::Entry, markdown};
use std::{
    fs,
    io::{self, IsTerminal, Read},
    path::PathBuf,
    process::{Command, Stdio},
};

/// The tender as the operator left it in the editor; `None` where nothing was changed.
pub(crate) fn in_editor(entry: &Entry, before: &Tender) -> anyhow::Result<Option<Tender>> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
    if editor.trim().is_empty() {
        bail!("no editor is set; set EDITOR, or write `edit FIELD=VALUE`");
    }
    let draft = draft(entry);
    if !draft.exists() {
        fs::write(&draft, markdown::write(before, None)?)
            .with_context(|| format!("{}: cannot be written", draft.display()))?;
    }
    let stdin = if io::stdin().is_terminal() { Stdio::inherit() } else { Stdio::null() };
    // The variable may hold arguments too, as `code --wait`.
    let ended = Command::new("sh")
        .args(["-c", "eval \"$0 \\\"\\$1\\\"\"", &editor])
        .arg(&draft)
        .stdin(stdin)
        .status()
        .with_context(|| format!("`{editor}` cannot be started; check EDITOR"))?;
    if !ended.success() {
        bail!("`{editor}` ended with {ended}; nothing was changed");
    }
    let mut text = String::new();
    fs::File::open(&draft)?.take(markdown::MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
    let mut after = markdown::read(&text)
        .with_context(|| format!("{} is kept as you left it: `edit` goes on with it", draft.display()))?;
    // Where it was printed and whether it waits are not the editor's to say.
    after.sources.clone_from(&before.sources);
    (after.id, after.status, after.needs_review) = (before.id, before.status, before.needs_review);
    let _ = fs::remove_file(&draft);
    Ok((after != *before).then_some(after))
}

/// Hidden, so that nobody takes it for a notice.
fn draft(entry: &Entry) -> PathBuf {
    entry.folder().join(format!(".{}.edit.md", entry.notice.name))
}
