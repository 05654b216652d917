//! A page's notices to their files, and the record that makes them count. What a person has decided about or changed is
//! kept as it is when the same page is read again.

use super::{
    BatchError, NoticeFiles, NoticeRecord, PageRecord, PageSource, RejectedBlock, Review,
    read_page::{ReadNotice, ReadPage},
    store, write_atomically,
};
use crate::{extract::doubts, markdown};
use index::tender::{PageBox, Tender};
use std::{
    collections::{BTreeMap, VecDeque},
    fs, io,
    path::Path,
    time::Instant,
};

/// Two readings whose boxes share this much of what they cover are of one notice.
const SAME_PLACE: f64 = 0.5;
/// Who has read a notice that a person has had in hand since.
const REVIEWED: &str = "reviewed";

/// Where a page's output goes and what its record says of it.
pub(super) struct PagePlace<'p> {
    pub(super) folder: &'p Path,
    pub(super) base: &'p str,
    pub(super) record: &'p Path,
    pub(super) hash: String,
    pub(super) version: String,
    pub(super) number: u32,
    pub(super) confidence_line: f64,
}

/// A notice of an earlier reading that a person has had in hand.
struct Kept {
    record: NoticeRecord,
    area: PageBox,
}

/// Writes the notices, then the record that makes them count. The caller holds the lock for writing.
pub(super) fn write(
    source: &PageSource,
    read: ReadPage,
    place: PagePlace<'_>,
) -> Result<PageRecord, BatchError> {
    let started = Instant::now();
    let mut kept = VecDeque::from(kept(&place));
    let taken: Vec<String> = kept.iter().map(|kept| kept.record.name.clone()).collect();
    let mut names = (1..).map(|nth| format!("{}-{nth:02}", place.base)).filter(|name| !taken.contains(name));
    let mut notices = Vec::with_capacity(read.notices.len());
    // It must not vouch for files that are written over from here on.
    remove_record(place.record)?;
    for notice in read.notices {
        if let Some(at) = kept.iter().position(|kept| kept.is(&notice)) {
            let Some(kept) = kept.remove(at) else { continue };
            let clip = NoticeFiles::of(place.folder, &kept.record.name).clip;
            if !clip.is_file() {
                put(&clip, &notice.clip)?;
            }
            notices.push(kept.record);
        } else if let Some(name) = names.next() {
            notices.push(write_notice(notice, name, &place)?);
        }
    }
    notices.extend(kept.into_iter().map(|kept| kept.record));
    let mut seconds: BTreeMap<String, f64> = read
        .seconds
        .into_iter()
        .map(|(stage, seconds)| (stage.to_owned(), (seconds * 1000.0).round() / 1000.0))
        .collect();
    seconds.insert("write".to_owned(), (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
    let record = PageRecord {
        hash: place.hash,
        version: place.version,
        file: source.file.clone(),
        page: place.number,
        notices,
        rejected: read.rejected.into_iter().map(|(area, reason)| RejectedBlock { area, reason }).collect(),
        seconds,
        confidence_line: place.confidence_line,
    };
    write_record(place.record, &record)?;
    Ok(record)
}

fn write_notice(notice: ReadNotice, name: String, place: &PagePlace<'_>) -> Result<NoticeRecord, BatchError> {
    let files = NoticeFiles::of(place.folder, &name);
    put(&files.clip, &notice.clip)?;
    put(&files.markdown, notice.file.as_bytes())?;
    Ok(NoticeRecord::of(name, notice.key, notice.extractor, &notice.tender, place.confidence_line))
}

impl NoticeRecord {
    /// What a page's record says of a notice.
    fn of(name: String, key: String, extractor: String, tender: &Tender, line: f64) -> Self {
        let doubts = doubts(tender, line).into_iter().map(|(field, why)| format!("{field} {why}")).collect();
        Self { name, key, extractor, kind: tender.kind, title: tender.title.clone(), doubts }
    }
}

/// Judges a page's notices by another confidence line than they were; nothing is read again.
pub(super) fn judge(
    record: &mut PageRecord,
    path: &Path,
    folder: &Path,
    line: f64,
) -> Result<(), BatchError> {
    for notice in &mut record.notices {
        let tender = read_tender(&NoticeFiles::of(folder, &notice.name).markdown)?;
        let NoticeRecord { name, key, extractor, .. } = notice.clone();
        *notice = NoticeRecord::of(name, key, extractor, &tender, line);
    }
    record.confidence_line = line;
    write_record(path, record)
}

/// The tender of a notice's file.
pub(super) fn read_tender(path: &Path) -> Result<Tender, BatchError> {
    let unread = |source: io::Error| BatchError::Unlisted { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(unread)?;
    markdown::read(&text).map_err(|source| BatchError::Notice { path: path.to_owned(), source })
}

/// Writes a page's record.
pub(super) fn write_record(path: &Path, record: &PageRecord) -> Result<(), BatchError> {
    let json = serde_json::to_vec_pretty(record)
        .map_err(|error| BatchError::Write { path: path.to_owned(), source: error.into() })?;
    put(path, &json)
}

/// Removes a page's record; where there is none, all is well.
fn remove_record(path: &Path) -> Result<(), BatchError> {
    let removed = match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        // That it is gone must outlive a power cut, too.
        Ok(()) => {
            fs::File::open(path.parent().unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
        }
    };
    removed.map_err(|source| BatchError::Write { path: path.to_owned(), source })
}

/// Writes a file whole or not at all.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    write_atomically(path, bytes).map_err(|source| BatchError::Write { path: path.to_owned(), source })
}

/// The notices of this very page that a person has had in hand, by what lies beside them: not even a lost record loses
/// them. Of one whose text is gone, nothing is left to keep.
fn kept(place: &PagePlace<'_>) -> Vec<Kept> {
    let Ok(entries) = fs::read_dir(place.folder) else { return Vec::new() };
    let name_of = |file: &str| {
        let name = file.strip_suffix(store::REVIEW)?;
        let number = name.strip_prefix(place.base)?.strip_prefix('-')?;
        number.chars().all(|c| c.is_ascii_digit()).then(|| name.to_owned())
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| name_of(&entry.file_name().to_string_lossy())).collect();
    names.sort();
    let kept = names.into_iter().filter_map(|name| {
        let files = NoticeFiles::of(place.folder, &name);
        let review: Option<Review> = store::read_json(&files.review);
        let tender = read_tender(&files.markdown).ok();
        match (review.filter(|review| review.page == place.hash), tender) {
            (Some(review), Some(tender)) => {
                let area = tender.sources.first().map(|source| source.area).unwrap_or_default();
                let reader = REVIEWED.to_owned();
                let record = NoticeRecord::of(name, review.key, reader, &tender, place.confidence_line);
                Some(Kept { record, area })
            }
            _ => {
                let _ = fs::remove_file(&files.review);
                None
            }
        }
    });
    kept.collect()
}

impl Kept {
    /// Whether this is another reading of the same notice.
    fn is(&self, notice: &ReadNotice) -> bool {
        let area = notice.tender.sources.first().map(|source| source.area).unwrap_or_default();
        self.record.key == notice.key || shared(self.area, area) >= SAME_PLACE
    }
}

/// Of what two boxes cover together, the share that both cover.
fn shared(a: PageBox, b: PageBox) -> f64 {
    let side = |axis: usize| (a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis]);
    let both = side(0).max(0.0) * side(1).max(0.0);
    let all = a[2] * a[3] + b[2] * b[3] - both;
    if all > 0.0 { both / all } else { 0.0 }
}

/// What an earlier reading of the page found under another key or name than this one.
pub(super) fn gone<'b>(before: Option<&'b PageRecord>, now: &PageRecord) -> Vec<&'b NoticeRecord> {
    let is_kept =
        |old: &NoticeRecord| now.notices.iter().any(|new| new.name == old.name && new.key == old.key);
    before.into_iter().flat_map(|before| &before.notices).filter(|old| !is_kept(old)).collect()
}

/// Removes the files that no notice has any more.
pub(super) fn remove_stale(gone: &[&NoticeRecord], now: &PageRecord, folder: &Path) {
    for notice in gone.iter().filter(|old| now.notices.iter().all(|new| new.name != old.name)) {
        NoticeFiles::of(folder, &notice.name).remove();
    }
}
