//! Preserves reviews when a page is read again, even if its output moves to another name or issue.

use super::{
    file_io::{read_tender, remove_file_if_present, write_file},
    page_reading::{ReadNotice, write_words},
    record::{NoticeFiles, NoticeRecord},
    stored_review::Review,
};
use crate::{
    batch::{BatchError, PublicationRule, file_names::REVIEW_SUFFIX},
    markdown,
};
use std::{collections::BTreeSet, fs, io, path::Path};
use tender_model::{
    tender::{PageBox, Tender},
    vocabulary::Moment,
};

/// Two readings with at least this intersection over union of their boxes are the same notice.
const MIN_SAME_NOTICE_IOU: f64 = 0.5;
/// The name of the extractor in the record of a reviewed notice.
const REVIEWED: &str = "reviewed";

/// The notices of a page: their folder and the prefix of their names.
#[derive(Clone, Copy)]
pub(crate) struct PageNotices<'p> {
    pub(crate) folder: &'p Path,
    pub(crate) base: &'p str,
    /// The hash of the page.
    pub(crate) hash: &'p str,
}

/// A reviewed notice of an earlier reading.
pub(crate) struct PreservedReview {
    pub(crate) name: String,
    review: Review,
    /// The reviewed notice; `None` if it is lost, or if it was rejected and its file is unreadable.
    tender: Option<Tender>,
}

impl PageNotices<'_> {
    /// The names of notices with this prefix that have a review, even a review of another page.
    pub(crate) fn reviewed_names(&self) -> Result<Vec<String>, BatchError> {
        let unlisted = |source| BatchError::Unlisted { path: self.folder.to_owned(), source };
        let entries = match fs::read_dir(self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(unlisted)?,
        };
        let name_of = |file: &str| {
            let name = file.strip_suffix(REVIEW_SUFFIX)?;
            let number = name.strip_prefix(self.base)?.strip_prefix('-')?;
            number.chars().all(|c| c.is_ascii_digit()).then(|| name.to_owned())
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(name_of(&entry.map_err(unlisted)?.file_name().to_string_lossy()));
        }
        names.sort();
        Ok(names)
    }

    /// Loads the reviewed notices of this page. They are found by their review files, so that they
    /// survive the loss of the record.
    ///
    /// # Errors
    /// If a review cannot be read, or the file of a notice that was not rejected cannot be read.
    pub(crate) fn load_reviews(&self) -> Result<Vec<PreservedReview>, BatchError> {
        let mut kept = Vec::new();
        for name in self.reviewed_names()? {
            let files = NoticeFiles::of(self.folder, &name);
            let review = Review::read(&files.review)?;
            let Some(review) = review.filter(|review| review.page == self.hash) else { continue };
            let tender = match read_tender(&files.markdown) {
                Err(BatchError::Unread { source, .. }) if source.kind() == io::ErrorKind::NotFound => None,
                Err(_) if review.is_rejected() => None,
                _ if review.lost => None,
                tender => Some(tender?),
            };
            kept.push(PreservedReview { name, review, tender });
        }
        Ok(kept)
    }

    /// Copies the reviewed notices from another location to free names. An existing copy is kept if
    /// its review is newer or the same.
    pub(crate) fn copy_reviews_from(&self, there: PageNotices<'_>) -> Result<(), BatchError> {
        let (mut names, here) = (self.reviewed_names()?, self.load_reviews()?);
        for kept in there.load_reviews()? {
            let name = match here.iter().find(|here| here.review.key == kept.review.key) {
                // An earlier move was interrupted, and this copy is up to date.
                Some(here) if here.review.at > kept.review.at || here.review == kept.review => continue,
                Some(here) => here.name.clone(),
                None => {
                    let number = kept.name.strip_prefix(there.base).unwrap_or_default();
                    let mut free = std::iter::once(format!("{}{number}", self.base))
                        .chain((1..).map(|nth| format!("{}-{nth:02}", self.base)))
                        .filter(|name| !names.contains(name));
                    let Some(name) = free.next() else { continue };
                    name
                }
            };
            let (from, to) = (NoticeFiles::of(there.folder, &kept.name), NoticeFiles::of(self.folder, &name));
            // The review is written last, because the other files are ignored without it.
            let files = [
                (&from.clip, &to.clip),
                (&from.words, &to.words),
                (&from.markdown, &to.markdown),
                (&from.published, &to.published),
                (&from.review, &to.review),
            ];
            for (from, to) in files {
                match fs::read(from) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => remove_file_if_present(to)?,
                    Err(source) => return Err(BatchError::Unread { path: from.clone(), source }),
                    Ok(bytes) => write_file(to, &bytes)?,
                }
            }
            names.push(name);
        }
        Ok(())
    }
}

impl PreservedReview {
    /// Whether the notice was rejected.
    pub(crate) const fn is_rejected(&self) -> bool {
        self.review.is_rejected()
    }

    /// Whether a newly read notice is the reviewed one: its key is the same, or the boxes overlap
    /// enough.
    pub(crate) fn is_same_notice(&self, notice: &ReadNotice) -> bool {
        let first = |tender: &Tender| tender.sources.first().map(|source| source.area);
        let area = self.tender.as_ref().and_then(first).or(self.review.area);
        let is_there = area
            .zip(first(&notice.tender))
            .is_some_and(|(a, b)| intersection_over_union(a, b) >= MIN_SAME_NOTICE_IOU);
        self.review.key == notice.key || is_there
    }

    /// Updates the files of the notice and returns its entry in the page record. `again` is the new
    /// reading of the notice, if it was found again.
    pub(crate) fn update_files(
        self,
        again: Option<ReadNotice>,
        folder: &Path,
        rule: PublicationRule,
    ) -> Result<Option<NoticeRecord>, BatchError> {
        let Self { name, review, tender } = self;
        let files = NoticeFiles::of(folder, &name);
        if let Some(mut tender) = tender {
            if let Some(again) = again {
                if !files.clip.is_file() {
                    write_file(&files.clip, &again.clip)?;
                }
                write_words(&files, &again.words)?;
                if update_issue(&mut tender, &again.tender, &review.edited) {
                    let text = markdown::write(&tender, Some(REVIEWED)).map_err(BatchError::Markdown)?;
                    write_file(&files.markdown, text.as_bytes())?;
                }
            }
            return Ok(Some(NoticeRecord::of(name, review.key, REVIEWED.to_owned(), &tender, rule)));
        }
        // The review stays in case the notice is found again.
        let Some(again) = again else { return Ok(None) };
        // A rejection remains. An accepted or edited text is lost, and nobody has reviewed its
        // replacement.
        let key = if review.is_rejected() {
            review.key
        } else {
            let (key, at) = (again.key.clone(), review.at);
            let area = again.tender.sources.first().map(|source| source.area);
            let (page, edited) = (review.page, BTreeSet::new());
            let lost = Review { key, page, area, verdict: None, edited, lost: true, at };
            lost.write(&files.review)?;
            lost.key
        };
        again.write(folder, name, key, rule).map(Some)
    }
}

/// Updates the issue and the file of a notice, except for edited fields. Returns whether anything
/// changed.
fn update_issue(tender: &mut Tender, again: &Tender, edited: &BTreeSet<String>) -> bool {
    let Some((old, new)) = tender.sources.first_mut().zip(again.sources.first()) else { return false };
    if (&old.publication, old.date, &old.file) == (&new.publication, new.date, &new.file) {
        return false;
    }
    if tender.dates.published == old.date.and_then(Moment::start_of) && !edited.contains("dates.published") {
        tender.dates.published = new.date.and_then(Moment::start_of);
    }
    if !edited.contains("sourcePage") {
        tender.source_page.clone_from(&again.source_page);
    }
    old.publication.clone_from(&new.publication);
    old.file.clone_from(&new.file);
    old.date = new.date;
    true
}

/// The intersection over union of two boxes.
fn intersection_over_union(a: PageBox, b: PageBox) -> f64 {
    let side = |axis: usize| (a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis]);
    let both = side(0).max(0.0) * side(1).max(0.0);
    let all = a[2] * a[3] + b[2] * b[3] - both;
    if all > 0.0 { both / all } else { 0.0 }
}
