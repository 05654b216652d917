//! What a person has decided about or changed on a page, found again when the page is read again: where its output lies, and where
//! it lay before its page got another name or another issue.

use super::{
    decision::Review,
    file_io::{read_tender, remove_file_if_present, write_file},
    page_reading::ReadNotice,
    record::{NoticeFiles, NoticeRecord},
};
use crate::{
    batch::{BatchError, PublicationRule, file_names::REVIEW},
    markdown,
};
use index::{
    tender::{PageBox, Tender},
    vocabulary::Moment,
};
use std::{collections::BTreeSet, fs, io, path::Path};

/// Two readings whose boxes share this much of what they cover are of one notice.
const SAME_PLACE: f64 = 0.5;
/// Who has read a notice that a person has had in hand since.
const REVIEWED: &str = "reviewed";

/// Where the notices of one page lie: their folder, and what their names begin with.
#[derive(Clone, Copy)]
pub(crate) struct PageNotices<'p> {
    pub(crate) folder: &'p Path,
    pub(crate) base: &'p str,
    /// The page's content.
    pub(crate) hash: &'p str,
}

/// A notice of an earlier reading that a person has had in hand.
pub(crate) struct PreservedReview {
    pub(crate) name: String,
    review: Review,
    /// What it says; `None` where that is lost and only the decision is left.
    tender: Option<Tender>,
}

impl PageNotices<'_> {
    /// The names that begin so and that somebody has decided about, even if of another page.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub(crate) fn reviewed_names(&self) -> Result<Vec<String>, BatchError> {
        let unlisted = |source| BatchError::Unlisted { path: self.folder.to_owned(), source };
        let entries = match fs::read_dir(self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(unlisted)?,
        };
        let name_of = |file: &str| {
            let name = file.strip_suffix(REVIEW)?;
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

    /// The notices of this very page that a person has had in hand, by what lies beside them: not even a lost record loses them.
    ///
    /// # Errors
    /// Where what a person has written or accepted can be read no more.
    pub(crate) fn preserved(&self) -> Result<Vec<PreservedReview>, BatchError> {
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

    /// Copies here what a person has had in hand and lies there, under names that nothing has yet. What was copied before is
    /// left as it is, unless something newer was decided there.
    ///
    /// # Errors
    /// Where it can't be read or written.
    pub(crate) fn copy_reviews_from(&self, there: PageNotices<'_>) -> Result<(), BatchError> {
        let (mut names, here) = (self.reviewed_names()?, self.preserved()?);
        for kept in there.preserved()? {
            let name = match here.iter().find(|here| here.review.key == kept.review.key) {
                // A kill came while it was moved before; since then only what is newer was decided.
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
            // The decision comes last: it is what makes the others count.
            let files = [
                (&from.clip, &to.clip),
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
    /// Whether it was rejected.
    pub(crate) const fn is_rejected(&self) -> bool {
        self.review.is_rejected()
    }

    /// Whether this is another reading of the same notice.
    pub(crate) fn is(&self, notice: &ReadNotice) -> bool {
        let first = |tender: &Tender| tender.sources.first().map(|source| source.area);
        let area = self.tender.as_ref().and_then(first).or(self.review.area);
        let is_there = area.zip(first(&notice.tender)).is_some_and(|(a, b)| shared(a, b) >= SAME_PLACE);
        self.review.key == notice.key || is_there
    }

    /// What the page's record says of it, its files being in place. `again` is what was read of it now.
    ///
    /// # Errors
    /// Where its files cannot be written.
    pub(crate) fn resolve(
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
                if tell_issue(&mut tender, &again.tender, &review.edited) {
                    let text = markdown::write(&tender, Some(REVIEWED)).map_err(BatchError::Markdown)?;
                    write_file(&files.markdown, text.as_bytes())?;
                }
            }
            return Ok(Some(NoticeRecord::of(name, review.key, REVIEWED.to_owned(), &tender, rule)));
        }
        // Should it be found again one day, its decision is there.
        let Some(again) = again else { return Ok(None) };
        // What was rejected stays so. What was accepted or written is gone, and nobody has seen what stands there instead.
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

/// Lets a notice tell its issue and its file as they are known now, but for what a person has written; says whether it told otherwise before.
fn tell_issue(tender: &mut Tender, again: &Tender, edited: &BTreeSet<String>) -> bool {
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

/// Of what two boxes cover together, the share that both cover.
fn shared(a: PageBox, b: PageBox) -> f64 {
    let side = |axis: usize| (a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis]);
    let both = side(0).max(0.0) * side(1).max(0.0);
    let all = a[2] * a[3] + b[2] * b[3] - both;
    if all > 0.0 { both / all } else { 0.0 }
}
