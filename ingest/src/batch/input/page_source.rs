//! One file of pages: which issue of which newspaper it is from, by what the operator says, its folders or its own name, and what its
//! output is called.

use crate::base::digest::sha256;
use index::vocabulary::Day;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A file of one or several pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSource {
    /// Where it is.
    #[serde(with = "any_path")]
    pub path: PathBuf,
    /// The same, from its batch on.
    pub file: String,
    /// The newspaper's name; empty where nothing tells but perhaps the page.
    pub publication: String,
    /// The issue; `None` where nothing tells.
    pub date: Option<Day>,
    /// The folder of its output: `daily-lanka/2026-11-20`.
    pub folder: PathBuf,
    /// The name of its output: `p1`.
    pub stem: String,
}

impl PageSource {
    /// Stands for where it is in a name.
    pub(crate) fn mark(&self) -> String {
        place(self.path.as_os_str().as_encoded_bytes())
    }
}

/// What tells that a file has changed: its size, and when it was written.
pub(crate) type Stamp = (u64, Option<SystemTime>);

/// A file's stamp; `None` where it cannot be looked at.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()))
}

/// A path as text, or where it is none as its bytes in hexadecimal digits.
mod any_path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::{
        ffi::OsString,
        os::unix::ffi::{OsStrExt, OsStringExt},
        path::{Path, PathBuf},
    };

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Text(String),
        Bytes { hex: String },
    }

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        let bytes = || Written::Bytes { hex: hex::encode(path.as_os_str().as_bytes()) };
        path.to_str().map_or_else(bytes, |text| Written::Text(text.to_owned())).serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<PathBuf, D::Error> {
        match Written::deserialize(from)? {
            Written::Text(text) => Ok(text.into()),
            Written::Bytes { hex } => {
                hex::decode(hex).map(|bytes| OsString::from_vec(bytes).into()).map_err(D::Error::custom)
            }
        }
    }
}

/// What the operator says about files whose folders do not tell.
#[derive(Debug, Clone, Default)]
pub struct Issue {
    /// The newspaper.
    pub publication: Option<String>,
    /// Its issue.
    pub date: Option<Day>,
}

/// The file at a place, `file` being its name from its batch on.
pub(crate) fn page_source(path: PathBuf, file: String, issue: &Issue) -> PageSource {
    let name = |folder: Option<&Path>| Some(folder?.file_name()?.to_string_lossy().into_owned());
    let parent = path.parent();
    let folder_date: Option<Day> = name(parent).and_then(|name| name.parse().ok());
    let folder_publication = folder_date.and_then(|_| name(parent?.parent()));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = if folder_date.is_none() { of_name(&stem) } else { None };
    let (name_publication, name_date, name_page) = match named {
        Some(Named { publication, date, page }) => (Some(publication), Some(date), Some(page)),
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

/// What a file's own name tells.
struct Named {
    publication: String,
    date: Day,
    page: String,
}

/// `daily-news_2026-11-20_p12`: the newspaper, the issue and the page, parted by low lines or blanks.
fn of_name(stem: &str) -> Option<Named> {
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
    is_named.then(|| Named { publication: publication.to_owned(), date, page })
}

/// `p1.jpg` and `p1.pdf` of one folder would write over one another, and so would `p1.jpg` of two batches: the first two differ by where
/// they stand in their batch, the others by where that is.
pub(crate) fn part_namesakes(found: &mut [PageSource]) {
    part(found, |page| {
        let ending = page.path.extension().unwrap_or_default().to_string_lossy();
        format!("{}-{}", slug(&ending, "file"), place(page.file.as_bytes()))
    });
    part(found, PageSource::mark);
}

/// Gives those that have one output a name with more to it.
fn part(found: &mut [PageSource], more: impl Fn(&PageSource) -> String) {
    let output = |page: &PageSource| page.folder.join(&page.stem);
    let mut counts: HashMap<PathBuf, usize> = HashMap::new();
    for page in &*found {
        *counts.entry(output(page)).or_default() += 1;
    }
    for page in found.iter_mut().filter(|page| counts.get(&output(page)).is_some_and(|&count| count > 1)) {
        page.stem = format!("{}-{}", page.stem, more(page));
    }
}

/// Stands for a place in a name.
fn place(bytes: &[u8]) -> String {
    hex::encode(&sha256(bytes)[..3])
}

/// `daily-lanka` as `Daily Lanka`.
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

/// A name that is safe as a file's: letters and digits of any script in lower case, joined by hyphens.
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
    fn a_files_name_tells_what_its_folders_do_not() {
        let source = |path: &str| page_source(path.into(), path.to_owned(), &Issue::default());
        let told = |path: &str| {
            let PageSource { publication, folder, stem, .. } = source(path);
            format!("{publication}|{}|{stem}", folder.display())
        };
        assert_eq!(told("in/daily-news_2026-11-20_p12.jpg"), "Daily News|daily-news/2026-11-20|p12");
        assert_eq!(told("in/Daily News 2026-11-20.pdf"), "Daily News|daily-news/2026-11-20|page");
        assert_eq!(told("in/silumina_2026-11-20_p1_b.tif"), "Silumina|silumina/2026-11-20|p1-b");
        // The folders have the word where they tell.
        assert_eq!(
            told("isle/2026-11-19/daily-news_2026-11-20_p1.jpg"),
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
            assert!(told(&path).starts_with("|unnamed/undated|"), "{name}: {}", told(&path));
        }
    }

    #[test]
    fn no_name_leads_out_of_the_output() {
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
