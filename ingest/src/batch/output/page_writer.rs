//! A page's notices to their files, and the record that makes them count. What a person has decided about or changed is
//! kept as it is when the same page is read again.

use super::{
    decision::Standing,
    file_io::{put, read_tender, remove, write_record},
    output_paths::{Place, Slot},
    page_reading::ReadPage,
    preserved_reviews::Notices,
    record::{self, NoticeFiles, NoticeRecord, PageRecord, RejectedBlock},
};
use crate::{
    batch::{BatchError, PageSource, PublicationRule},
    markdown,
};
use std::{collections::BTreeMap, path::Path, time::Instant};

/// Where a page's output goes and what its record says of it.
pub(crate) struct PagePlace<'p> {
    /// The folder of all output.
    pub(crate) out: &'p Path,
    pub(crate) place: &'p Place,
    pub(crate) hash: String,
    pub(crate) version: String,
    pub(crate) number: u32,
    pub(crate) rule: PublicationRule,
}

/// Writes the notices, then the record that makes them count, and removes what the page has left. The caller holds the lock for writing.
pub(crate) fn write(
    source: &PageSource,
    read: ReadPage,
    page: PagePlace<'_>,
) -> Result<PageRecord, BatchError> {
    let started = Instant::now();
    let PagePlace { out, place, hash, version, number, rule } = page;
    let folder = out.join(&place.slot.folder);
    let (path, base) = (place.slot.record(out), &place.slot.base);
    let own = Notices { folder: &folder, base, hash: &hash };
    let before = record::read_record(&path);
    let folders: Vec<_> = place.left.iter().map(|left| out.join(&left.folder)).collect();
    let left = place.left.iter().zip(&folders);
    let left: Vec<_> = left.map(|(left, folder)| Notices { folder, base: &left.base, hash: &hash }).collect();
    // Whatever of a person's work can't be read is told before anything is changed.
    for decided in left.iter().chain([&own]) {
        decided.kept()?;
    }
    // It must not vouch for files that are written over from here on.
    remove(&path)?;
    for left in left {
        own.take_along(left)?;
    }
    let (mut kept, taken) = (own.kept()?, own.decided()?);
    let mut names = (1..).map(|nth| format!("{base}-{nth:02}")).filter(|name| !taken.contains(name));
    let mut notices = Vec::with_capacity(read.notices.len());
    for notice in read.notices {
        if let Some(at) = kept.iter().position(|kept| kept.is(&notice)) {
            notices.extend(kept.remove(at).settle(Some(notice), &folder, rule)?);
        } else if let Some(name) = names.next() {
            let key = notice.key.clone();
            notices.push(notice.write(&folder, name, key, rule)?);
        }
    }
    for kept in kept {
        notices.extend(kept.settle(None, &folder, rule)?);
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
        from: source.mark(),
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
        remove_page(out, left, &record.hash, Fate::Moved)?;
    }
    Ok(record)
}

/// Why a page's output is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It lies elsewhere now, with all that was decided.
    Moved,
    /// Another page stands in its place. Should it come back, what was rejected is to stay so.
    Replaced,
}

/// Removes the output of the page of this content, its record first. The caller holds the lock for writing.
pub(crate) fn remove_page(
    out: &Path,
    slot: &Slot,
    hash: &str,
    fate: Fate,
) -> Result<Vec<NoticeRecord>, BatchError> {
    let (path, folder) = (slot.record(out), out.join(&slot.folder));
    // What a person has written and can't be read may be worth mending.
    let kept = Notices { folder: &folder, base: &slot.base, hash }.kept()?;
    let mut notices = Vec::new();
    // Of another page that has come to lie there only what was decided about this one is removed.
    if let Some(record) = record::record_of(&path, hash) {
        remove(&path)?;
        notices = record.notices;
    }
    for kept in kept {
        let files = NoticeFiles::of(&folder, &kept.name);
        files.remove_reading();
        if fate == Fate::Moved || !kept.is_rejected() {
            remove(&files.review)?;
        }
    }
    for notice in &notices {
        NoticeFiles::of(&folder, &notice.name).remove_reading();
    }
    Ok(notices)
}

/// Judges a page's notices by a rule, and lists the states of their fields anew. Nothing is read again, and what a person accepted
/// stays certain.
pub(crate) fn judge(
    record: &mut PageRecord,
    path: &Path,
    folder: &Path,
    rule: PublicationRule,
) -> Result<(), BatchError> {
    for notice in &mut record.notices {
        let file = NoticeFiles::of(folder, &notice.name).markdown;
        let mut tender = read_tender(&file)?;
        let NoticeRecord { name, key, extractor, .. } = notice.clone();
        if notice.standing(folder) != Standing::Accepted {
            let before = tender.clone();
            rule.mark(&mut tender);
            if tender != before {
                let text = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
                put(&file, text.as_bytes())?;
            }
        }
        *notice = NoticeRecord::of(name, key, extractor, &tender, rule);
    }
    record.rule = rule;
    write_record(path, record)
}
