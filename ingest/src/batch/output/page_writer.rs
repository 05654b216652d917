//! Writes the notices of a page and its record. Reviews are kept when the page is read again.

use super::{
    file_io::{read_tender, remove_file_if_present, write_file, write_record},
    output_paths::{OutputPath, OutputSlot},
    page_reading::ReadPage,
    preserved_reviews::PageNotices,
    record::{self, NoticeFiles, NoticeRecord, PageRecord, RejectedBlock},
    stored_review::ReviewState,
};
use crate::{
    batch::{BatchError, PageSource, PublicationRule},
    markdown,
};
use std::{collections::BTreeMap, path::Path, time::Instant};

/// The output location of a page and the values of its record.
pub(crate) struct PageTarget<'p> {
    /// The output folder.
    pub(crate) out: &'p Path,
    pub(crate) place: &'p OutputPath,
    pub(crate) hash: String,
    pub(crate) version: String,
    pub(crate) number: u32,
    pub(crate) rule: PublicationRule,
}

/// Writes the notices, then the record, and removes files that are no longer used. The caller holds
/// the change lock.
pub(crate) fn write(
    source: &PageSource,
    read: ReadPage,
    page: PageTarget<'_>,
) -> Result<PageRecord, BatchError> {
    let started = Instant::now();
    let PageTarget { out, place, hash, version, number, rule } = page;
    let folder = out.join(&place.slot.folder);
    let (path, base) = (place.slot.record(out), &place.slot.base);
    let own = PageNotices { folder: &folder, base, hash: &hash };
    let before = record::read_record(&path);
    let folders: Vec<_> = place.left.iter().map(|left| out.join(&left.folder)).collect();
    let left = place.left.iter().zip(&folders);
    let left: Vec<_> =
        left.map(|(left, folder)| PageNotices { folder, base: &left.base, hash: &hash }).collect();
    // Unreadable reviews must be reported before anything is changed.
    for decided in left.iter().chain([&own]) {
        decided.load_reviews()?;
    }
    // The record must not refer to files that are being overwritten.
    remove_file_if_present(&path)?;
    for left in left {
        own.copy_reviews_from(left)?;
    }
    let (mut kept, taken) = (own.load_reviews()?, own.reviewed_names()?);
    let mut names = (1..).map(|nth| format!("{base}-{nth:02}")).filter(|name| !taken.contains(name));
    let mut notices = Vec::with_capacity(read.notices.len());
    for notice in read.notices {
        if let Some(at) = kept.iter().position(|kept| kept.is_same_notice(&notice)) {
            notices.extend(kept.remove(at).update_files(Some(notice), &folder, rule)?);
        } else if let Some(name) = names.next() {
            let key = notice.key.clone();
            notices.push(notice.write(&folder, name, key, rule)?);
        }
    }
    for kept in kept {
        notices.extend(kept.update_files(None, &folder, rule)?);
    }
    let mut seconds: BTreeMap<String, f64> = read
        .seconds
        .into_iter()
        .map(|(stage, seconds)| (stage.to_owned(), (seconds * 1000.0).round() / 1000.0))
        .collect();
    seconds.insert("write".to_owned(), (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
    let record = PageRecord {
        hash,
        version,
        file: source.file.clone(),
        page: number,
        from: source.path_hash(),
        notices,
        rejected: read.rejected.into_iter().map(|(area, reason)| RejectedBlock { area, reason }).collect(),
        seconds,
        rule,
    };
    write_record(&path, &record)?;
    for notice in before.iter().flat_map(|before| &before.notices) {
        if record.notices.iter().all(|now| now.name != notice.name) {
            NoticeFiles::of(&folder, &notice.name).remove_reading();
        }
    }
    for left in &place.left {
        remove_page(out, left, &record.hash, RemovalReason::Moved)?;
    }
    Ok(record)
}

/// Why the output of a page is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemovalReason {
    /// The output was moved, with its reviews.
    Moved,
    /// Another page has replaced the page. Rejections are kept in case the old page comes back.
    Replaced,
}

/// Removes the output of a page, the record first. The caller holds the change lock.
pub(crate) fn remove_page(
    out: &Path,
    slot: &OutputSlot,
    hash: &str,
    reason: RemovalReason,
) -> Result<Vec<NoticeRecord>, BatchError> {
    let (path, folder) = (slot.record(out), out.join(&slot.folder));
    // Nothing is removed if a review is unreadable, because it may be worth repairing.
    let kept = PageNotices { folder: &folder, base: &slot.base, hash }.load_reviews()?;
    let mut notices = Vec::new();
    // If another page owns this location, only the reviewed notices of this page are removed.
    if let Some(record) = record::read_record_of_page(&path, hash) {
        remove_file_if_present(&path)?;
        notices = record.notices;
    }
    for kept in kept {
        let files = NoticeFiles::of(&folder, &kept.name);
        files.remove_reading();
        if reason == RemovalReason::Moved || !kept.is_rejected() {
            remove_file_if_present(&files.review)?;
        }
    }
    for notice in &notices {
        NoticeFiles::of(&folder, &notice.name).remove_reading();
    }
    Ok(notices)
}

/// Applies a publication rule to the notices of a page and updates their field states. The page is
/// not read again, and the fields of accepted notices stay certain.
pub(crate) fn apply_rule(
    record: &mut PageRecord,
    path: &Path,
    folder: &Path,
    rule: PublicationRule,
) -> Result<(), BatchError> {
    for notice in &mut record.notices {
        let file = NoticeFiles::of(folder, &notice.name).markdown;
        let mut tender = read_tender(&file)?;
        let NoticeRecord { name, key, extractor, .. } = notice.clone();
        if notice.review_state(folder) != ReviewState::Accepted {
            let before = tender.clone();
            rule.mark_fields(&mut tender);
            if tender != before {
                let text = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
                write_file(&file, text.as_bytes())?;
            }
        }
        *notice = NoticeRecord::of(name, key, extractor, &tender, rule);
    }
    record.rule = rule;
    write_record(path, record)
}
