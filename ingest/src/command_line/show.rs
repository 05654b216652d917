//! `ingest show`: shows one notice.

use super::print_line;
use anyhow::bail;
use clap::Args;
use ingest::batch::{NoticeView, StoredNotice, stored_notices};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Show {
    /// Markdown file of the notice; or with --out, its name (p1-05, or
    /// daily-lanka/2026-11-20/p1-05) or its key
    notice: String,
    /// Folder written by `run --out`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn show(command: &Show) -> anyhow::Result<bool> {
    let view = NoticeView::of(&find_notice(command)?)?;
    if command.json {
        print_line(serde_json::to_string_pretty(&view)?);
    } else {
        print_line(&view);
        // Line breaks are kept, and other control characters are replaced.
        for line in view.text.lines() {
            print_line(format_args!("  {}", tender_model::terminal_text::single_line(line)));
        }
    }
    Ok(true)
}

fn find_notice(command: &Show) -> anyhow::Result<StoredNotice> {
    let wanted = command.notice.as_str();
    if let Some(out) = &command.out {
        return single_match(wanted, stored_notices(out)?, |entry| matches_name(entry, wanted, out));
    }
    let path = Path::new(wanted);
    if path.extension().is_none_or(|ending| ending != "md") {
        bail!("{wanted}: give the .md file of the notice, or its output folder with --out DIR");
    }
    if !path.is_file() {
        bail!("{wanted}: there is no such file; check the path");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    single_match(wanted, stored_notices(folder)?, |entry| {
        entry.notice.name == name && entry.folder() == folder
    })
}

/// Whether a notice has this name, path or key.
pub(crate) fn matches_name(entry: &StoredNotice, name: &str, out: &Path) -> bool {
    let name = name.strip_suffix(".md").unwrap_or(name);
    let path = entry.folder().join(&entry.notice.name);
    let within = path.strip_prefix(out).unwrap_or(&path);
    entry.notice.key == name || entry.notice.name == name || within == Path::new(name)
}

/// Returns the only matching notice. It is an error if none or several match.
fn single_match(
    wanted: &str,
    all: Vec<StoredNotice>,
    is_wanted: impl Fn(&StoredNotice) -> bool,
) -> anyhow::Result<StoredNotice> {
    let mut found: Vec<StoredNotice> = all.into_iter().filter(|entry| is_wanted(entry)).collect();
    match (found.pop(), found.len()) {
        (Some(entry), 0) => Ok(entry),
        (None, _) => {
            bail!("{wanted}: no page record lists this notice; check the name, or read its page again")
        }
        (Some(last), _) => {
            found.push(last);
            let places: Vec<String> =
                found.iter().take(8).map(|entry| entry.files().markdown.display().to_string()).collect();
            bail!("{wanted}: {} notices have this name; give one of: {}", found.len(), places.join(", "))
        }
    }
}
