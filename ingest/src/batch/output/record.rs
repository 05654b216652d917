//! The files of an output folder: a Markdown file and a clip per notice, and a record per page.
//! Every write is atomic. The record of a page is written last, so that a page is either complete
//! or read again. A notice exists only if a record lists it.

use crate::{
    base::{
        digest::sha256,
        files::{read_json, try_read_json},
    },
    batch::{
        PublicationRule,
        file_names::{RECORD_SUFFIX, REVIEW_SUFFIX},
    },
    extract::RejectionReason,
    portal_client::Receipt,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};
use tender_model::{tender::PageBox, vocabulary::Kind};

/// The record of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRecord {
    /// The hash of the page.
    pub hash: String,
    /// A hash of everything that determines the result except the page: program, rules, model,
    /// gazetteer, issue and file. If it has changed, the page is read again.
    pub version: String,
    /// The file of the page, relative to its batch.
    pub file: String,
    /// The page in the file, from 1.
    pub page: u32,
    /// A short hash of the path of the file when the page was last found; empty in old records.
    #[serde(default)]
    pub from: String,
    /// The notices in page order, then reviewed notices that were not found again.
    pub notices: Vec<NoticeRecord>,
    /// The blocks that are not notices.
    pub rejected: Vec<RejectedBlock>,
    /// The processing time by stage, in seconds.
    pub seconds: BTreeMap<String, f64>,
    /// The publication rule that was applied.
    #[serde(flatten)]
    pub rule: PublicationRule,
}

/// The entry of a notice in the record of its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeRecord {
    /// The base name of the notice's files. They are in the same folder as the record.
    pub name: String,
    /// Its key at a portal.
    pub key: String,
    /// What read the notice: `embedded` for the rules alone, or `openai` and the model's name. A
    /// notice with a review becomes `reviewed` when its page is read again.
    #[serde(default)]
    pub extractor: String,
    /// The kind of notice.
    pub kind: Kind,
    /// The title.
    pub title: String,
    /// The doubts about the notice. See [`PublicationRule::doubts`].
    pub doubts: Vec<String>,
    /// Whether the notice waits for review, according to the publication rule. Old records lack
    /// this field, and their doubtful notices are published with the doubts marked.
    #[serde(default)]
    pub waits: bool,
}

/// A block that is not a notice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RejectedBlock {
    /// The box of the block.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// Why the block is not a notice.
    pub reason: RejectionReason,
}

/// The answer of a portal for a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The address of the portal.
    pub portal: String,
    /// The digest of the Markdown file when it was sent.
    pub digest: String,
    /// The answer.
    #[serde(flatten)]
    pub receipt: Receipt,
}

/// The key of a notice. The same clip of the same page always has the same key.
#[must_use]
pub fn key(page_hash: &str, number: u32, [x, y, width, height]: PageBox) -> String {
    let place = format!("{page_hash}|{number}|{x:.3},{y:.3},{width:.3},{height:.3}");
    hex::encode(sha256(place.as_bytes())).chars().take(32).collect()
}

/// Reads a record. Returns `None` if the record is missing or belongs to another page.
#[must_use]
pub(crate) fn read_record_of_page(path: &Path, hash: &str) -> Option<PageRecord> {
    read_record(path).filter(|record| record.hash == hash)
}

/// Reads a record; `None` if it is missing, unreadable or invalid.
#[must_use]
pub(crate) fn read_record(path: &Path) -> Option<PageRecord> {
    try_read_record(path).ok().flatten()
}

/// Reads a record; `None` if it is missing or invalid, so that the page is read again.
///
/// # Errors
/// If the file exists but cannot be read.
pub(crate) fn try_read_record(path: &Path) -> io::Result<Option<PageRecord>> {
    let record = match try_read_json::<PageRecord>(path) {
        // An invalid file counts as missing.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => {
            None
        }
        record => record?,
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let base = file.strip_suffix(RECORD_SUFFIX).unwrap_or_default();
    // A record is untrusted input: its names must not lead to other folders or pages.
    let is_own = |name: &str| {
        let number = name.strip_prefix(base).and_then(|rest| rest.strip_prefix('-'));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Ok(record.filter(|record| record.notices.iter().all(|notice| is_own(&notice.name))))
}

/// Reads the stored answer of the portal. Returns `None` if the file is missing or unreadable.
#[must_use]
pub(crate) fn read_published(path: &Path) -> Option<Published> {
    read_json(path)
}

/// The paths of the files of a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeFiles {
    /// The Markdown file.
    pub markdown: PathBuf,
    /// The clip.
    pub clip: PathBuf,
    /// The words with their places. Outputs of old versions lack it.
    pub words: PathBuf,
    /// The stored answer of the portal.
    pub published: PathBuf,
    /// The review.
    pub review: PathBuf,
}

impl NoticeFiles {
    /// The paths for a notice of this name in a folder.
    #[must_use]
    pub fn of(folder: &Path, name: &str) -> Self {
        let with = |ending: &str| folder.join(format!("{name}{ending}"));
        Self {
            markdown: with(".md"),
            clip: with(".jpg"),
            words: with(".words.json"),
            published: with(".published.json"),
            review: with(REVIEW_SUFFIX),
        }
    }

    /// Removes all files except the review.
    pub(crate) fn remove_reading(&self) {
        for path in [&self.markdown, &self.clip, &self.words, &self.published] {
            let _ = fs::remove_file(path);
        }
    }
}

impl PageRecord {
    /// Whether the page is up to date: it was read with this version, and the text and the clip of
    /// every notice exist.
    #[must_use]
    pub fn is_current(&self, version: &str, folder: &Path) -> bool {
        self.staleness(version, folder).is_none()
    }

    /// Why the page must be read again; `None` if it is up to date.
    #[must_use]
    pub fn staleness(&self, version: &str, folder: &Path) -> Option<&'static str> {
        let is_whole = |notice: &NoticeRecord| {
            let files = NoticeFiles::of(folder, &notice.name);
            files.markdown.is_file() && files.clip.is_file()
        };
        if self.version != version {
            Some("it was read with another version, configuration or issue")
        } else if !self.notices.iter().all(is_whole) {
            Some("a file of a notice is missing")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::output::listing::records;
    use std::{fs::File, time::SystemTime};

    #[test]
    fn a_key_identifies_a_clip() {
        let area = [0.1, 0.2, 0.3, 0.4];
        assert_eq!(key("ab", 1, area), key("ab", 1, [0.100_04, 0.2, 0.3, 0.4]));
        assert_ne!(key("ab", 1, area), key("ab", 2, area));
        assert_ne!(key("ab", 1, area), key("ab", 1, [0.102, 0.2, 0.3, 0.4]));
        assert_eq!(key("ab", 1, area).len(), 32);
    }

    #[test]
    fn a_page_with_an_interrupted_move_is_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let record = |hash: &str| PageRecord {
            hash: hash.into(),
            version: String::new(),
            file: String::new(),
            page: 1,
            from: String::new(),
            notices: vec![],
            rejected: vec![],
            seconds: BTreeMap::new(),
            rule: PublicationRule::default(),
        };
        for (name, hash, second) in [("a", "moved", 2), ("b", "moved", 1), ("c", "stays", 0)] {
            let path = folder.path().join(format!("{name}{RECORD_SUFFIX}"));
            fs::write(&path, serde_json::to_vec(&record(hash)).unwrap()).unwrap();
            let written = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
            File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
        }
        let listed = records(folder.path()).unwrap();
        let names: Vec<_> =
            listed.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a.page.json", "c.page.json"]);
    }

    #[test]
    fn an_invalid_record_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p1.page.json");
        fs::write(&path, "{\"hash\": 5").unwrap();
        assert_eq!(read_record(&path), None);
        assert_eq!(records(folder.path()).unwrap(), []);
        let notice = NoticeRecord {
            name: String::new(),
            key: String::new(),
            extractor: String::new(),
            kind: Kind::Sale,
            title: String::new(),
            doubts: vec![],
            waits: false,
        };
        let record = PageRecord {
            hash: String::new(),
            version: String::new(),
            file: String::new(),
            page: 1,
            from: String::new(),
            notices: vec![notice],
            rejected: vec![],
            seconds: BTreeMap::new(),
            rule: PublicationRule::default(),
        };
        for (name, is_its_own) in [
            ("../p1", false),
            ("p1-../p1", false),
            ("p1-", false),
            ("p1", false),
            ("p10-01", false),
            ("p1-2a4b6c-01", false),
            ("p1-01", true),
        ] {
            let mut record = record.clone();
            record.notices[0].name = name.into();
            fs::write(&path, serde_json::to_vec(&record).unwrap()).unwrap();
            assert_eq!(read_record(&path).is_some(), is_its_own, "{name}");
        }
    }
}
