//! The notices of a page before they are written.

use super::{
    file_io::write_file,
    record::{NoticeFiles, NoticeRecord},
};
use crate::{
    batch::{BatchError, PublicationRule},
    extract::RejectionReason,
    markdown,
};
use std::{collections::BTreeMap, path::Path};
use tender_model::{
    notice_words::NoticeWords,
    tender::{PageBox, Tender},
    vocabulary::Day,
};

/// A notice that is ready to be written.
pub(crate) struct ReadNotice {
    pub(crate) key: String,
    pub(crate) tender: Tender,
    pub(crate) words: NoticeWords,
    pub(crate) clip: Vec<u8>,
    /// Whether a person has drawn the clip.
    pub(crate) is_drawn: bool,
    /// How the notice was read: `embedded` by the rules only, or `openai` followed by the model.
    pub(crate) extractor: String,
}

/// Everything found on a page.
pub(crate) struct ReadPage {
    pub(crate) notices: Vec<ReadNotice>,
    pub(crate) rejected: Vec<(PageBox, RejectionReason)>,
    pub(crate) seconds: BTreeMap<&'static str, f64>,
    /// A remark if the page header contradicts the operator, the folder or the file name.
    pub(crate) remark: Option<String>,
    /// The newspaper, also if it was read from the page header; empty if it is unknown.
    pub(crate) publication: String,
    /// The issue date, also if it was read from the page header.
    pub(crate) date: Option<Day>,
    /// The picture of the page as JPEG, if it was asked for. The boxes refer to it.
    pub(crate) picture: Option<Vec<u8>>,
}

impl ReadNotice {
    /// Writes the files of the notice with its field states. Returns its entry in the page record.
    pub(crate) fn write(
        self,
        folder: &Path,
        name: String,
        key: String,
        rule: PublicationRule,
    ) -> Result<NoticeRecord, BatchError> {
        let Self { mut tender, words, clip, extractor, .. } = self;
        rule.mark_fields(&mut tender);
        let text = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
        let files = NoticeFiles::of(folder, &name);
        write_file(&files.clip, &clip)?;
        write_words(&files, &words)?;
        write_file(&files.markdown, text.as_bytes())?;
        Ok(NoticeRecord::of(name, key, extractor, &tender, rule))
    }
}

/// Writes the words of a notice.
pub(crate) fn write_words(files: &NoticeFiles, words: &NoticeWords) -> Result<(), BatchError> {
    let json = serde_json::to_vec(words).unwrap_or_default();
    write_file(&files.words, &json)
}

impl NoticeRecord {
    /// The entry of a notice in the page record.
    pub(crate) fn of(
        name: String,
        key: String,
        extractor: String,
        tender: &Tender,
        rule: PublicationRule,
    ) -> Self {
        let (doubts, waits) = (rule.doubts(tender), rule.holds(tender));
        Self { name, key, extractor, kind: tender.kind, title: tender.title.clone(), doubts, waits }
    }
}
