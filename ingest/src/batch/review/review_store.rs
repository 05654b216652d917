//! The reviewer's desk: the notices under an output folder, each looked at, changed, accepted or rejected. Every change is
//! a few atomic writes under the lock for writing; a kill between two leaves a notice that still waits.

use crate::{
    base::digest::sha256,
    batch::{
        BatchError, Lock, NoticeFiles, NoticeRecord, PageRecord, Review, ReviewState, Verdict,
        output::{
            file_io::{read_tender, write_file},
            listing,
            page_writer::apply_rule,
            record,
        },
    },
    markdown, message,
};
use index::{tender::Tender, vocabulary::Moment};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// No title is longer.
const LONGEST_TITLE: usize = 1000;
/// No reason is longer.
const LONGEST_REASON: usize = 500;

/// A notice with its page and where both lie.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNotice {
    /// The page's record.
    pub record: PathBuf,
    /// The page's content.
    pub hash: String,
    /// The page's file, from its batch on.
    pub file: String,
    /// The page in its file, from 1.
    pub page: u32,
    /// The notice.
    pub notice: NoticeRecord,
}

/// What a notice's file said when somebody looked at it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenedNotice {
    /// What it says.
    pub tender: Tender,
    /// Its bytes.
    digest: [u8; 32],
    /// What was decided about it.
    review: Option<Review>,
}

/// Why a notice cannot be decided about or changed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// It is another one by now.
    #[error("{0} was read again or decided about meanwhile; look at it once more")]
    Changed(String),
    /// What it says can't be published so.
    #[error("{0}")]
    Unsound(&'static str),
    /// Its files.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// The notices under an output folder, in order of their pages.
///
/// # Errors
/// Where the folder is not there or cannot be listed.
pub fn stored_notices(out: &Path) -> Result<Vec<StoredNotice>, BatchError> {
    let records = listing::listed(out)?;
    let stored_notices = records.into_iter().flat_map(|(path, page)| {
        let PageRecord { hash, file, page, notices, .. } = page;
        notices.into_iter().map(move |notice| StoredNotice {
            record: path.clone(),
            hash: hash.clone(),
            file: file.clone(),
            page,
            notice,
        })
    });
    Ok(stored_notices.collect())
}

impl StoredNotice {
    /// The folder it lies in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.record.parent().unwrap_or(Path::new("."))
    }

    /// Its files.
    #[must_use]
    pub fn files(&self) -> NoticeFiles {
        NoticeFiles::of(self.folder(), &self.notice.name)
    }

    /// Whether it may be published.
    #[must_use]
    pub fn review_state(&self) -> ReviewState {
        self.notice.review_state(self.folder())
    }

    /// Looks at it.
    ///
    /// # Errors
    /// Where its file cannot be read or is no notice any more.
    pub fn open(&self) -> Result<OpenedNotice, BatchError> {
        let path = self.files().markdown;
        let review = self.notice.review(self.folder())?;
        let bytes = fs::read(&path).map_err(|source| BatchError::Unread { path: path.clone(), source })?;
        Ok(OpenedNotice { tender: read_tender(&path)?, digest: sha256(&bytes), review })
    }

    /// Lets it be published as it was looked at.
    ///
    /// # Errors
    /// See [`ReviewError`].
    pub fn accept(&self, out: &Path, opened: &OpenedNotice, now: Moment) -> Result<(), ReviewError> {
        check(&opened.tender)?;
        let _lock = self.lock(out, opened)?;
        let mut tender = opened.tender.clone();
        tender.settle_all();
        self.write(&tender)?;
        self.decide(Some(Verdict::Accepted), opened, BTreeSet::new(), now)
    }

    /// Keeps it from being published.
    ///
    /// # Errors
    /// See [`ReviewError`].
    pub fn reject(
        &self,
        out: &Path,
        opened: &OpenedNotice,
        reason: &str,
        now: Moment,
    ) -> Result<(), ReviewError> {
        let reason: String = message::line(reason.trim()).chars().take(LONGEST_REASON).collect();
        if reason.is_empty() {
            return Err(ReviewError::Unsound("a rejection needs a reason; write it behind `reject`"));
        }
        let _lock = self.lock(out, opened)?;
        self.decide(Some(Verdict::Rejected { reason }), opened, BTreeSet::new(), now)
    }

    /// Writes it anew with these fields changed; it still waits.
    ///
    /// # Errors
    /// See [`ReviewError`].
    pub fn change(
        &self,
        out: &Path,
        opened: &OpenedNotice,
        tender: &Tender,
        fields: BTreeSet<String>,
        now: Moment,
    ) -> Result<(), ReviewError> {
        // One that was unsound before is mended field by field.
        if check(&opened.tender).is_ok() {
            check(tender)?;
        }
        let _lock = self.lock(out, opened)?;
        // From here on another reading of the page leaves it alone.
        self.decide(None, opened, fields, now)?;
        self.write(tender)?;
        // Its doubts may be others now; a record that tells the old ones does no harm.
        if let Some(mut record) = record::read_record(&self.record) {
            let rule = record.rule;
            apply_rule(&mut record, &self.record, self.folder(), rule)?;
        }
        Ok(())
    }

    /// The lock for writing, once it is sure that the notice is still the one that was looked at.
    fn lock(&self, out: &Path, opened: &OpenedNotice) -> Result<Lock, ReviewError> {
        let lock = Lock::write(out)?;
        let record = record::read_record(&self.record);
        let is_listed = record.is_some_and(|record| {
            record.hash == self.hash && record.notices.iter().any(|notice| notice.key == self.notice.key)
        });
        let now = fs::read(self.files().markdown).unwrap_or_default();
        let review = self.notice.review(self.folder())?;
        if is_listed && sha256(&now) == opened.digest && review == opened.review {
            Ok(lock)
        } else {
            Err(ReviewError::Changed(self.notice.name.clone()))
        }
    }

    fn write(&self, tender: &Tender) -> Result<(), ReviewError> {
        let text = markdown::write(tender, Some(&self.notice.extractor)).map_err(BatchError::Markdown)?;
        Ok(write_file(&self.files().markdown, text.as_bytes())?)
    }

    fn decide(
        &self,
        verdict: Option<Verdict>,
        opened: &OpenedNotice,
        fields: BTreeSet<String>,
        now: Moment,
    ) -> Result<(), ReviewError> {
        let mut edited = opened.review.as_ref().map(|before| before.edited.clone()).unwrap_or_default();
        edited.extend(fields);
        let area = opened.tender.sources.first().map(|source| source.area);
        let (key, page) = (self.notice.key.clone(), self.hash.clone());
        let review = Review { key, page, area, verdict, edited, lost: false, at: now };
        Ok(review.write(&self.files().review)?)
    }
}

/// What no notice may be published with or without.
fn check(tender: &Tender) -> Result<(), ReviewError> {
    let wrong = if tender.title.trim().is_empty() {
        "it has no title; edit title=…"
    } else if tender.title.chars().count() > LONGEST_TITLE || tender.title.contains(char::is_control) {
        "its title is too long or has line ends in it; edit title=…"
    } else if tender.dates.closing.zip(tender.dates.published).is_some_and(|(closing, day)| closing < day) {
        "it closes before it is published; edit dates.closing=… or dates.published=…"
    } else {
        return Ok(());
    };
    Err(ReviewError::Unsound(wrong))
}
