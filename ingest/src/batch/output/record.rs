//! What a batch leaves behind: one markdown file and one clip per notice, and a record per page. Every write is atomic, and
//! a page's record is written last, so that a page is either done or will be read again. Records are the only list of
//! notices: a file that no record names does not exist.

use crate::{
    base::{
        digest::sha256,
        files::{read_json, try_json},
    },
    batch::{
        PublicationRule,
        file_names::{RECORD, REVIEW},
    },
    extract::Reason,
    publish::Receipt,
};
use index::{tender::PageBox, vocabulary::Kind};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRecord {
    /// The page's content.
    pub hash: String,
    /// The reading that made it: rules, readers and options. Another one reads the page again.
    pub version: String,
    /// The page's file, from its batch on.
    pub file: String,
    /// The page in its file, from 1.
    pub page: u32,
    /// Stands for where that file was when the page was last seen; empty in records of old.
    #[serde(default)]
    pub from: String,
    /// What was found, in the order of the page.
    pub notices: Vec<NoticeRecord>,
    /// What was found to be no notice.
    pub rejected: Vec<RejectedBlock>,
    /// Seconds of work by stage.
    pub seconds: BTreeMap<String, f64>,
    /// The rule by which its notices were judged.
    #[serde(flatten)]
    pub rule: PublicationRule,
}

/// A notice that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeRecord {
    /// Its files' name without the ending, beside the record.
    pub name: String,
    /// Its key at a portal.
    pub key: String,
    /// Who read it: `embedded`, `openai` and the model, or `reviewed` where a person has had it in hand since.
    #[serde(default)]
    pub extractor: String,
    /// What it asks.
    pub kind: Kind,
    /// What is bought.
    pub title: String,
    /// What a reviewer should look at: doubtful key fields and why. See [`PublicationRule::doubts`].
    pub doubts: Vec<String>,
    /// Whether it waits for a person before it is published. Not set in older records: their doubtful notices are published with
    /// the doubt marked.
    #[serde(default)]
    pub waits: bool,
}

/// A block that is no notice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RejectedBlock {
    /// Where.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// Why.
    pub reason: Reason,
}

/// That a portal answered for a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The portal's address.
    pub portal: String,
    /// The notice's file as it was sent.
    pub digest: String,
    /// The portal's answer.
    #[serde(flatten)]
    pub receipt: Receipt,
}

/// The key of a notice: the same clip of the same page always has the same.
#[must_use]
pub fn key(page_hash: &str, number: u32, [x, y, width, height]: PageBox) -> String {
    let place = format!("{page_hash}|{number}|{x:.3},{y:.3},{width:.3},{height:.3}");
    hex::encode(sha256(place.as_bytes())).chars().take(32).collect()
}

/// The record of the page of this content; `None` where there is none.
#[must_use]
pub(crate) fn record_of(path: &Path, hash: &str) -> Option<PageRecord> {
    read_record(path).filter(|record| record.hash == hash)
}

/// A page's record; `None` where there is none or it cannot be understood, so that the page is read again.
#[must_use]
pub(crate) fn read_record(path: &Path) -> Option<PageRecord> {
    try_record(path).ok().flatten()
}

/// The same, with the system's reason where the record is there and cannot be read.
pub(crate) fn try_record(path: &Path) -> io::Result<Option<PageRecord>> {
    let record = match try_json::<PageRecord>(path) {
        // What is no record of ours is none.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => {
            None
        }
        record => record?,
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let base = file.strip_suffix(RECORD).unwrap_or_default();
    // A record is input too: its names must lead neither out of its folder nor to another page's notices.
    let is_own = |name: &str| {
        let number = name.strip_prefix(base).and_then(|rest| rest.strip_prefix('-'));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Ok(record.filter(|record| record.notices.iter().all(|notice| is_own(&notice.name))))
}

/// That a notice was published, where it was.
#[must_use]
pub(crate) fn read_published(path: &Path) -> Option<Published> {
    read_json(path)
}

/// Where a notice's files are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeFiles {
    /// The notice.
    pub markdown: PathBuf,
    /// The clip.
    pub clip: PathBuf,
    /// That it was published.
    pub published: PathBuf,
    /// What was decided about it.
    pub review: PathBuf,
}

impl NoticeFiles {
    /// The files of the notice of this name in a folder.
    #[must_use]
    pub fn of(folder: &Path, name: &str) -> Self {
        let with = |ending: &str| folder.join(format!("{name}{ending}"));
        Self {
            markdown: with(".md"),
            clip: with(".jpg"),
            published: with(".published.json"),
            review: with(REVIEW),
        }
    }

    /// Removes all but what was decided; what is not there is well.
    pub(crate) fn remove_reading(&self) {
        for path in [&self.markdown, &self.clip, &self.published] {
            let _ = fs::remove_file(path);
        }
    }
}

impl PageRecord {
    /// Whether the page has nothing new: it was read by the same version, and all its files are in place.
    #[must_use]
    pub fn is_current(&self, version: &str, folder: &Path) -> bool {
        self.staleness(version, folder).is_none()
    }

    /// Why the page has to be read again; `None` where it has nothing new.
    #[must_use]
    pub fn staleness(&self, version: &str, folder: &Path) -> Option<&'static str> {
        let is_whole = |notice: &NoticeRecord| {
            let files = NoticeFiles::of(folder, &notice.name);
            files.markdown.is_file() && files.clip.is_file()
        };
        if self.version != version {
            Some("it was read by other rules or as of another issue")
        } else if !self.notices.iter().all(is_whole) {
            Some("a notice's file is missing")
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
    fn a_key_is_the_clips_own() {
        let area = [0.1, 0.2, 0.3, 0.4];
        assert_eq!(key("ab", 1, area), key("ab", 1, [0.100_04, 0.2, 0.3, 0.4]));
        assert_ne!(key("ab", 1, area), key("ab", 2, area));
        assert_ne!(key("ab", 1, area), key("ab", 1, [0.102, 0.2, 0.3, 0.4]));
        assert_eq!(key("ab", 1, area).len(), 32);
    }

    #[test]
    fn a_page_that_a_kill_left_in_two_places_is_listed_in_its_new_one() {
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
            let path = folder.path().join(format!("{name}{RECORD}"));
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
    fn a_record_in_rubbish_is_none() {
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
