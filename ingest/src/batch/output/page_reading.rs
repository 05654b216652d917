//! What was read of a page, before it is written.

use super::{
    file_io::write_file,
    record::{NoticeFiles, NoticeRecord},
};
use crate::{
    batch::{BatchError, PublicationRule},
    extract::Reason,
    markdown,
};
use index::tender::{PageBox, Tender};
use std::{collections::BTreeMap, path::Path};

/// A notice of a page, ready to be written.
pub(crate) struct ReadNotice {
    pub(crate) key: String,
    pub(crate) tender: Tender,
    pub(crate) clip: Vec<u8>,
    /// Who read it.
    pub(crate) extractor: String,
}

/// All that was found on a page.
pub(crate) struct ReadPage {
    pub(crate) notices: Vec<ReadNotice>,
    pub(crate) rejected: Vec<(PageBox, Reason)>,
    pub(crate) seconds: BTreeMap<&'static str, f64>,
    /// Where the page's head says otherwise than the operator, the folder or the file's name.
    pub(crate) remark: Option<String>,
}

impl ReadNotice {
    /// Writes its files with the states of its fields, and tells what its page's record says of it.
    pub(crate) fn write(
        self,
        folder: &Path,
        name: String,
        key: String,
        rule: PublicationRule,
    ) -> Result<NoticeRecord, BatchError> {
        let Self { mut tender, clip, extractor, .. } = self;
        rule.mark(&mut tender);
        let text = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
        let files = NoticeFiles::of(folder, &name);
        write_file(&files.clip, &clip)?;
        write_file(&files.markdown, text.as_bytes())?;
        Ok(NoticeRecord::of(name, key, extractor, &tender, rule))
    }
}

impl NoticeRecord {
    /// What a page's record says of a notice.
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
