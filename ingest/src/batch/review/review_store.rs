//! Lists, opens, changes, accepts and rejects the notices in an output folder. Each change consists
//! of a few atomic writes while the change lock is held. If the process is killed between the
//! writes, the notice is still undecided.

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
    markdown,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use tender_model::{tender::Tender, terminal_text, vocabulary::Moment};

/// The longest title, in characters.
const MAX_TITLE: usize = 1000;
/// The longest reason, in characters.
const MAX_REASON: usize = 500;

/// A notice with its page.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNotice {
    /// The path of the page record.
    pub record: PathBuf,
    /// The hash of the page.
    pub hash: String,
    /// The file of the page, relative to its batch.
    pub file: String,
    /// The page in the file, from 1.
    pub page: u32,
    /// The entry of the notice.
    pub notice: NoticeRecord,
}

/// The state of a notice when it was opened.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenedNotice {
    /// The tender.
    pub tender: Tender,
    /// The digest of the Markdown file.
    digest: [u8; 32],
    /// The review.
    review: Option<Review>,
}

/// Why a notice cannot be reviewed or changed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The notice has changed since it was opened.
    #[error("{0} was read again or reviewed in the meantime; look at it again")]
    Changed(String),
    /// The notice cannot be published as it is, or a rejection has no reason.
    #[error("{0}")]
    Invalid(&'static str),
    /// A file cannot be read or written.
    #[error(transparent)]
    Batch(#[from] BatchError),
}

/// The notices in an output folder, in page order.
pub fn stored_notices(out: &Path) -> Result<Vec<StoredNotice>, BatchError> {
    let records = listing::list_records(out)?;
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
    /// The folder of the notice.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.record.parent().unwrap_or(Path::new("."))
    }

    /// The files of the notice.
    #[must_use]
    pub fn files(&self) -> NoticeFiles {
        NoticeFiles::of(self.folder(), &self.notice.name)
    }

    /// Whether the notice may be published.
    #[must_use]
    pub fn review_state(&self) -> ReviewState {
        self.notice.review_state(self.folder())
    }

    /// Opens the notice.
    ///
    /// # Errors
    /// If the file or the review of the notice cannot be read or is invalid.
    pub fn open(&self) -> Result<OpenedNotice, BatchError> {
        let path = self.files().markdown;
        let review = self.notice.review(self.folder())?;
        let bytes = fs::read(&path).map_err(|source| BatchError::Unread { path: path.clone(), source })?;
        Ok(OpenedNotice { tender: read_tender(&path)?, digest: sha256(&bytes), review })
    }

    /// Accepts the notice as it was opened.
    pub fn accept(&self, out: &Path, opened: &OpenedNotice, now: Moment) -> Result<(), ReviewError> {
        check_publishable(&opened.tender)?;
        let _lock = self.lock(out, opened)?;
        let mut tender = opened.tender.clone();
        tender.mark_all_certain();
        self.write_tender(&tender)?;
        self.write_review(Some(Verdict::Accepted), opened, BTreeSet::new(), now)
    }

    /// Rejects the notice.
    pub fn reject(
        &self,
        out: &Path,
        opened: &OpenedNotice,
        reason: &str,
        now: Moment,
    ) -> Result<(), ReviewError> {
        let reason: String = terminal_text::single_line(reason.trim()).chars().take(MAX_REASON).collect();
        if reason.is_empty() {
            return Err(ReviewError::Invalid("a rejection needs a reason; write it after `reject`"));
        }
        let _lock = self.lock(out, opened)?;
        self.write_review(Some(Verdict::Rejected { reason }), opened, BTreeSet::new(), now)
    }

    /// Writes the notice with changed fields. Afterwards, the notice waits for review.
    pub fn change(
        &self,
        out: &Path,
        opened: &OpenedNotice,
        tender: &Tender,
        fields: BTreeSet<String>,
        now: Moment,
    ) -> Result<(), ReviewError> {
        // A notice that was invalid before may be repaired field by field.
        if check_publishable(&opened.tender).is_ok() {
            check_publishable(tender)?;
        }
        let _lock = self.lock(out, opened)?;
        // With the stored review, a new reading of the page keeps the changed notice.
        self.write_review(None, opened, fields, now)?;
        self.write_tender(tender)?;
        // The doubts may have changed. A record with outdated doubts does no harm.
        if let Some(mut record) = record::read_record(&self.record) {
            let rule = record.rule;
            apply_rule(&mut record, &self.record, self.folder(), rule)?;
        }
        Ok(())
    }

    /// Takes the change lock and checks that the notice has not changed since it was opened.
    fn lock(&self, out: &Path, opened: &OpenedNotice) -> Result<Lock, ReviewError> {
        let lock = Lock::acquire_change(out)?;
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

    fn write_tender(&self, tender: &Tender) -> Result<(), ReviewError> {
        let text = markdown::write(tender, Some(&self.notice.extractor)).map_err(BatchError::Markdown)?;
        Ok(write_file(&self.files().markdown, text.as_bytes())?)
    }

    fn write_review(
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

/// Checks that the title and the dates of a notice allow its publication.
fn check_publishable(tender: &Tender) -> Result<(), ReviewError> {
    let wrong = if tender.title.trim().is_empty() {
        "it has no title; edit title=…"
    } else if tender.title.chars().count() > MAX_TITLE || tender.title.contains(char::is_control) {
        "its title is too long or has line breaks; edit title=…"
    } else if tender.dates.closing.zip(tender.dates.published).is_some_and(|(closing, day)| closing < day) {
        "it closes before it is published; edit dates.closing=… or dates.published=…"
    } else {
        return Ok(());
    };
    Err(ReviewError::Invalid(wrong))
}
