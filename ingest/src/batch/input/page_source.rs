//! [`PageSource`]: a file of pages, its newspaper and issue, and the name of its output. The issue
//! comes from the operator, the folders or the file name.

use crate::base::digest::sha256;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};
use tender_model::vocabulary::Day;

/// A file with one or more pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSource {
    /// The path.
    #[serde(with = "any_path")]
    pub path: PathBuf,
    /// The path relative to the batch.
    pub file: String,
    /// The newspaper; empty if it must be read from the page.
    pub publication: String,
    /// The issue date, if known.
    pub date: Option<Day>,
    /// The folder for its output, relative to the output folder: `daily-lanka/2026-11-20`.
    pub folder: PathBuf,
    /// The output name, from which the names of its output files are formed: `p1`.
    pub stem: String,
}

impl PageSource {
    /// A short hash of the path, for unique names.
    pub(crate) fn path_hash(&self) -> String {
        short_hash(self.path.as_os_str().as_encoded_bytes())
    }
}

/// The size and the modification time of a file, to detect changes.
pub(crate) type Stamp = (u64, Option<SystemTime>);

/// The stamp of a file; `None` if its metadata cannot be read.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()))
}

/// Serialises a path as text, or as hexadecimal bytes if it is not UTF-8.
mod any_path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::{
        ffi::OsString,
        os::unix::ffi::{OsStrExt, OsStringExt},
        path::{Path, PathBuf},
    };

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum StoredPath {
        Text(String),
        Bytes { hex: String },
    }

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        let bytes = || StoredPath::Bytes { hex: hex::encode(path.as_os_str().as_bytes()) };
        path.to_str().map_or_else(bytes, |text| StoredPath::Text(text.to_owned())).serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<PathBuf, D::Error> {
        match StoredPath::deserialize(from)? {
            StoredPath::Text(text) => Ok(text.into()),
            StoredPath::Bytes { hex } => {
                hex::decode(hex).map(|bytes| OsString::from_vec(bytes).into()).map_err(D::Error::custom)
            }
        }
    }
}

/// The issue that the operator gives. It takes precedence over folder and file names.
#[derive(Debug, Clone, Default)]
pub struct Issue {
    /// The newspaper.
    pub publication: Option<String>,
    /// The issue date.
    pub date: Option<Day>,
}

/// Derives the issue and the output name of a file. `file` is the path relative to the batch.
pub(crate) fn page_source(path: PathBuf, file: String, issue: &Issue) -> PageSource {
    let name = |folder: Option<&Path>| Some(folder?.file_name()?.to_string_lossy().into_owned());
    let parent = path.parent();
    let folder_date: Option<Day> = name(parent).and_then(|name| name.parse().ok());
    let folder_publication = folder_date.and_then(|_| name(parent?.parent()));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = if folder_date.is_none() { parse_file_name(&stem) } else { None };
    let (name_publication, name_date, name_page) = match named {
        Some(FileNameParts { publication, date, page }) => (Some(publication), Some(date), Some(page)),
        None => (None, None, None),
    };
    let publication = folder_publication.or(name_publication).map(|name| title_case(&name));
    let publication = issue.publication.clone().or(publication).unwrap_or_default();
    let date = issue.date.or(folder_date).or(name_date);
    let folder = PathBuf::from(slug(&publication, "unnamed"))
        .join(date.map_or_else(|| "undated".to_owned(), |date| date.to_string()));
    let stem = slug(&name_page.unwrap_or(stem), "page");
    PageSource { path, file, publication, date, folder, stem }
}

/// The issue and the page in a file name.
struct FileNameParts {
    publication: String,
    date: Day,
    page: String,
}

/// Parses `daily-news_2026-11-20_p12`: newspaper, date and page, separated by underscores or
/// spaces.
fn parse_file_name(stem: &str) -> Option<FileNameParts> {
    let is_joint = |c: char| c == '_' || c == ' ';
    let (date, at) = stem.match_indices(is_joint).find_map(|(at, joint)| {
        let at = at + joint.len();
        let text = stem.get(at..at + 10)?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        is_plain.then(|| text.parse::<Day>().ok().map(|date| (date, at))).flatten()
    })?;
    let publication = stem[..at].trim_matches(is_joint);
    let rest = &stem[at + 10..];
    let is_named =
        publication.contains(char::is_alphabetic) && (rest.is_empty() || rest.starts_with(is_joint));
    let page = rest.trim_matches(is_joint).to_owned();
    is_named.then(|| FileNameParts { publication: publication.to_owned(), date, page })
}

/// Makes output names unique. Files with the same output name, such as `p1.jpg` and `p1.pdf`, get a
/// suffix from their extension and relative path. Files that still have the same name get another
/// suffix from their full path.
pub(crate) fn make_names_unique(found: &mut [PageSource]) {
    add_suffixes(found, |page| {
        let ending = page.path.extension().unwrap_or_default().to_string_lossy();
        format!("{}-{}", slug(&ending, "file"), short_hash(page.file.as_bytes()))
    });
    add_suffixes(found, PageSource::path_hash);
}

/// Adds a suffix to sources that have the same output name.
fn add_suffixes(found: &mut [PageSource], more: impl Fn(&PageSource) -> String) {
    let output = |page: &PageSource| page.folder.join(&page.stem);
    let mut counts: HashMap<PathBuf, usize> = HashMap::new();
    for page in &*found {
        *counts.entry(output(page)).or_default() += 1;
    }
    for page in found.iter_mut().filter(|page| counts.get(&output(page)).is_some_and(|&count| count > 1)) {
        page.stem = format!("{}-{}", page.stem, more(page));
    }
}

/// A short hash of a path, for unique names.
fn short_hash(bytes: &[u8]) -> String {
    hex::encode(&sha256(bytes)[..3])
}

/// Turns `daily-lanka` into `Daily Lanka`.
fn title_case(name: &str) -> String {
    let words = name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A safe file name: words of lower-case letters and digits of any script, joined by hyphens. If
/// nothing is left, the name is `otherwise`.
fn slug(name: &str, otherwise: &str) -> String {
    let plain: String =
        name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let slug = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let slug: String = slug.chars().take(60).collect();
    if slug.is_empty() { otherwise.to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_gives_the_issue_without_folder_names() {
        let source = |path: &str| page_source(path.into(), path.to_owned(), &Issue::default());
        let described = |path: &str| {
            let PageSource { publication, folder, stem, .. } = source(path);
            format!("{publication}|{}|{stem}", folder.display())
        };
        assert_eq!(described("in/daily-news_2026-11-20_p12.jpg"), "Daily News|daily-news/2026-11-20|p12");
        assert_eq!(described("in/Daily News 2026-11-20.pdf"), "Daily News|daily-news/2026-11-20|page");
        assert_eq!(described("in/silumina_2026-11-20_p1_b.tif"), "Silumina|silumina/2026-11-20|p1-b");
        // Folder names take precedence.
        assert_eq!(
            described("isle/2026-11-19/daily-news_2026-11-20_p1.jpg"),
            "Isle|isle/2026-11-19|daily-news-2026-11-20-p1"
        );
        for name in [
            "scan_2026-13-40_p1",
            "2026-11-20_p1",
            "_2026-11-20_p1",
            "x_2026-11-20p1",
            "සිළුමිණ_2026",
            "a_é026-11-20",
        ] {
            let path = format!("in/{name}.jpg");
            assert!(described(&path).starts_with("|unnamed/undated|"), "{name}: {}", described(&path));
        }
    }

    #[test]
    fn output_names_stay_within_the_output_folder() {
        for publication in ["../../etc", "/etc", "..", "a/b", "\0", "\n"] {
            let issue = Issue { publication: Some(publication.into()), date: None };
            let source = page_source("in/..x..jpg".into(), "x".into(), &issue);
            let plain =
                source.folder.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            assert!(plain && source.folder.components().count() == 2, "{publication:?}: {:?}", source.folder);
            assert!(!source.stem.contains(['/', '.']), "{}", source.stem);
        }
    }
}
