//! `ingest truth`: writes the pages that reviewers have checked, with their ground truth.

use super::{print_line, read_args::TokenArgs};
use anyhow::Context;
use clap::Args;
use ingest::{batch::write_atomically, eval::GROUND_TRUTH_SUFFIX, portal_client::Publisher};
use sha2::{Digest, Sha256};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};
use tender_model::{page_truth::TruthOfPage, terminal_text::single_line};

/// The longest part of a path that is made of a name.
const MAX_NAME_CHARS: usize = 100;

#[derive(Args)]
pub(crate) struct Truth {
    /// URL of the portal
    #[arg(long, value_name = "URL")]
    portal: String,
    #[command(flatten)]
    token: TokenArgs,
    /// Folder for the pages and their ground truth
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn truth(command: &Truth) -> anyhow::Result<bool> {
    let (portal, token) = command.token.open_portal(&command.portal)?;
    let publisher = Publisher::new(portal, &token)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut pages, mut notices, mut absent) = (0_usize, 0_usize, 0_usize);
    let mut files = HashSet::new();
    let mut after = None;
    loop {
        let part = runtime.block_on(publisher.page_truths(after))?;
        for page in &part.pages {
            let folder = command.out.join(folder_of(page));
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
            let file = folder.join(file_name(page));
            if page.is_stored {
                let is_known = || {
                    fs::read(&file).is_ok_and(|bytes| hex::encode(Sha256::digest(bytes)) == page.file_hash)
                };
                if files.insert(file.clone()) && !is_known() {
                    let bytes = runtime.block_on(publisher.download_checked_page(page))?;
                    write_atomically(&file, &bytes).with_context(|| file.display().to_string())?;
                }
            } else {
                absent += 1;
            }
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let number = if page.number > 1 { format!(".{}", page.number) } else { String::new() };
            let json = serde_json::to_vec_pretty(&page.truth)?;
            let truth = folder.join(format!("{stem}{number}{GROUND_TRUTH_SUFFIX}"));
            write_atomically(&truth, &json).with_context(|| truth.display().to_string())?;
            (pages, notices) = (pages + 1, notices + page.truth.notices.len());
            eprintln!("{}, page {}", single_line(&page.file_name), page.number);
        }
        after = part.next;
        if after.is_none() {
            break;
        }
    }
    let of = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    print_line(format!("{} on {}", of(notices, "checked notice"), of(pages, "page")));
    if absent > 0 {
        print_line(format!(
            "The portal does not have the file of {}; `ingest run` read it elsewhere",
            of(absent, "page")
        ));
    }
    Ok(true)
}

/// `daily-lanka/2026-11-20`.
fn folder_of(page: &TruthOfPage) -> PathBuf {
    let date = page.date.map_or_else(|| "undated".to_owned(), |date| date.to_string());
    Path::new(&safe_name(&page.publication, "unknown")).join(date)
}

/// The name of the file, preceded by the first digits of its hash: two files of an issue may have the
/// same name.
fn file_name(page: &TruthOfPage) -> String {
    let hash: String = page.file_hash.chars().filter(char::is_ascii_hexdigit).take(8).collect();
    format!("{hash}-{}", safe_name(&page.file_name, "page"))
}

/// A name from the portal as a part of a path. It contains no separators, and does not begin with a
/// dot.
fn safe_name(name: &str, otherwise: &str) -> String {
    let kept = |letter: char| if letter.is_alphanumeric() || "._-".contains(letter) { letter } else { '-' };
    let name: String = name.trim().to_lowercase().chars().map(kept).collect();
    let name = name.trim_matches(['-', '.']);
    // The end of the name is the extension.
    let skipped = name.chars().count().saturating_sub(MAX_NAME_CHARS);
    let name: String = name.chars().skip(skipped).collect();
    let name = name.trim_start_matches(['-', '.']);
    if name.is_empty() { otherwise.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_portal_stay_inside_the_folder() {
        assert_eq!(safe_name("Daily Lanka", "unknown"), "daily-lanka");
        assert_eq!(safe_name("../../etc/passwd", "unknown"), "etc-passwd");
        assert_eq!(safe_name("/", "unknown"), "unknown");
        // The vowel signs of Sinhala are no letters.
        assert!(safe_name("දිනමිණ", "unknown").starts_with('ද'));
        let long = safe_name(&format!("{}.pdf", "a".repeat(300)), "page");
        assert!(long.ends_with(".pdf") && long.len() == MAX_NAME_CHARS, "{long}");
    }
}
