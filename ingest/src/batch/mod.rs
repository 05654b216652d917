//! A batch from start to end: list its pages, read what is new, write it, publish it, report. A batch that was killed at
//! any point is finished by running it again: nothing is lost and nothing doubled.

mod embed;
mod find;
mod progress;
mod read_page;
mod report;
mod send;
mod store;

pub use embed::{EmbedError, Embedded};
pub use find::{Issue, PageSource, find};
pub use progress::{Event, Progress};
pub use report::{Report, Sent, peak_memory_mib};
pub use send::Sender;
pub use store::{
    NoticeFiles, NoticeRecord, PageRecord, Published, RECORD, RejectedBlock, key, records, write_atomically,
};

use crate::{
    extract::{RULES_VERSION, doubts},
    markdown::MarkdownError,
    page::{self, PageError, PageFile},
    read::{ReadError, Readers, TesseractError},
};
use read_page::{ReadPage, read_page};
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// Pages held in memory at the same time: while one is drawn, the other's clips are read.
const PAGES_IN_FLIGHT: usize = 2;

/// Why a page, or a whole batch, could not be done: what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The batch is not there.
    #[error("{}: there is no such file or folder; check the path", .0.display())]
    NoSuchBatch(PathBuf),
    /// It cannot be listed.
    #[error("{}: cannot be listed ({source}); check that this user may read it", path.display())]
    Unlisted {
        /// The batch.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It holds no pages.
    #[error("{}: no page in this folder; pages are files ending in .pdf, .jpg, .jpeg, .png, .tif or .tiff", .0.display())]
    NoPages(PathBuf),
    /// The output folder is of no use.
    #[error("{}: the output folder cannot be written ({source}); choose another with --out", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The page cannot be opened or drawn.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No reader is to be had.
    #[error(transparent)]
    Readers(#[from] TesseractError),
    /// A clip could not be read.
    #[error("{file}, page {page}: cannot be read ({source}); run the batch again")]
    Read {
        /// The file.
        file: String,
        /// The page.
        page: u32,
        /// Why.
        source: ReadError,
    },
    /// A notice cannot be written as text.
    #[error(transparent)]
    Markdown(MarkdownError),
    /// A clip cannot be written as a picture.
    #[error("a clip cannot be written as a picture ({0}); report this page")]
    Picture(image::ImageError),
    /// The output cannot be written.
    #[error("{}: cannot be written ({source}); free space there or choose another --out, then run again", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A fault of ours.
    #[error(
        "{file}: stopped by a fault in this program ({reason}); the other pages are done; report this page"
    )]
    Internal {
        /// The file.
        file: String,
        /// What it said.
        reason: String,
    },
    /// The index of this machine fails.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// No threads.
    #[error("no threads can be started ({0}); try --jobs 1")]
    Threads(String),
}

impl BatchError {
    /// Whether the command itself was wrong.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(self, Self::NoSuchBatch(_) | Self::Unlisted { .. } | Self::NoPages(_) | Self::Out { .. })
    }
}

/// What to read and where to.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folders and files.
    pub batches: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// What folders do not tell.
    pub issue: Issue,
    /// Cores to use.
    pub jobs: usize,
}

/// Where notices go beyond their folder.
#[derive(Clone, Copy, Default)]
pub struct Outlets<'r> {
    /// A portal.
    pub sender: Option<&'r Sender>,
    /// An index on this machine.
    pub index: Option<&'r Embedded>,
}

/// How to come by readers; asked once, and only when a page has to be read.
pub type ReaderSource<'r> = &'r (dyn Fn() -> Result<Readers, TesseractError> + Sync);

/// Runs a batch.
///
/// # Errors
/// Where the batch as a whole cannot be done. A page that fails alone is named in the report.
pub fn run(
    options: &Options,
    readers: ReaderSource<'_>,
    outlets: Outlets<'_>,
    progress: &Progress,
) -> Result<Report, BatchError> {
    let started = Instant::now();
    let sources = find(&options.batches, &options.issue)?;
    let probe = options.out.join(".writable");
    write_atomically(&probe, b"")
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|source| BatchError::Out { path: options.out.clone(), source })?;
    progress.tell(&Event::Started { files: sources.len() });
    let jobs = options.jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let run = Run {
        out: &options.out,
        pool: pool.map_err(|error| BatchError::Threads(error.to_string()))?,
        source: readers,
        readers: OnceLock::new(),
        outlets,
        progress,
        report: Mutex::new(Report {
            published: outlets.sender.map(|_| Sent::default()),
            ..Report::default()
        }),
        stopped: AtomicBool::new(false),
    };
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..jobs.min(PAGES_IN_FLIGHT) {
            scope.spawn(|| {
                while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if run.stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    run.file(source);
                    progress.tell(&Event::FileDone { file: &source.file });
                }
            });
        }
    });
    if let Some(Err(error)) = run.readers.into_inner() {
        return Err(error.into());
    }
    if let Some(index) = outlets.index {
        index.commit()?;
    }
    let mut report = run.report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.failed.sort();
    report.elapsed = started.elapsed().as_secs_f64();
    report.peak_memory_mib = peak_memory_mib();
    report.publishing_stopped = outlets.sender.and_then(Sender::given_up).map(|error| error.to_string());
    Ok(report)
}

/// Publishes what earlier runs have read under an output folder.
///
/// # Errors
/// Where the folder is not there or holds no page records.
pub fn publish(out: &Path, sender: &Sender, progress: &Progress) -> Result<Report, BatchError> {
    let started = Instant::now();
    let records = records(out).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => BatchError::NoSuchBatch(out.to_owned()),
        _ => BatchError::Unlisted { path: out.to_owned(), source },
    })?;
    progress.tell(&Event::Started { files: records.len() });
    let mut report = Report { unchanged: records.len(), ..Report::default() };
    let mut sent = Sent::default();
    for (path, record) in &records {
        report.count(record);
        sent.add(sender.send(path.parent().unwrap_or(out), &record.notices, progress));
        progress.tell(&Event::FileDone { file: &record.file });
    }
    report.published = Some(sent);
    report.elapsed = started.elapsed().as_secs_f64();
    report.peak_memory_mib = peak_memory_mib();
    report.publishing_stopped = sender.given_up().map(|error| error.to_string());
    Ok(report)
}

/// A batch under way.
struct Run<'r> {
    out: &'r Path,
    pool: rayon::ThreadPool,
    source: ReaderSource<'r>,
    readers: OnceLock<Result<Readers, TesseractError>>,
    outlets: Outlets<'r>,
    progress: &'r Progress,
    report: Mutex<Report>,
    stopped: AtomicBool,
}

impl Run<'_> {
    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, file: &str, error: &BatchError) {
        let message = error.to_string();
        self.progress.tell(&Event::PageFailed { file, message: &message });
        self.report().failed.push(message);
    }

    fn file(&self, source: &PageSource) {
        let file = match page::open(&source.path) {
            Ok(file) => file,
            Err(error) => return self.fail(&source.file, &error.into()),
        };
        for number in 1..=file.len() {
            // One page's fault must not take the others along.
            let done = catch_unwind(AssertUnwindSafe(|| self.page(source, &file, number)));
            let done = done.unwrap_or_else(|panic| {
                let reason = panic.downcast_ref::<String>().cloned();
                let reason = reason.or_else(|| panic.downcast_ref::<&str>().map(|&words| words.to_owned()));
                Err(BatchError::Internal { file: source.file.clone(), reason: reason.unwrap_or_default() })
            });
            if let Err(error) = done
                && !self.stopped.load(Ordering::Relaxed)
            {
                self.fail(&source.file, &error);
            }
        }
    }

    fn page(&self, source: &PageSource, file: &PageFile, number: u32) -> Result<(), BatchError> {
        let folder = self.out.join(&source.folder);
        let base = if file.len() > 1 { format!("{}-page{number}", source.stem) } else { source.stem.clone() };
        let path = folder.join(format!("{base}{RECORD}"));
        let (hash, version) = (file.hash(number), version(source));
        let before = store::read_record(&path);
        let record = match before {
            Some(record) if record.is_current(&hash, &version, &folder) => {
                self.report().unchanged += 1;
                self.progress.tell(&Event::PageUnchanged { file: &source.file, page: number });
                record
            }
            before => {
                let started = Instant::now();
                let page = file.page(number)?;
                let drawn = started.elapsed().as_secs_f64();
                let Ok(readers) = self.readers.get_or_init(self.source) else {
                    // Without a reader no page can be read: the batch ends with that reason.
                    self.stopped.store(true, Ordering::Relaxed);
                    return Ok(());
                };
                let mut read = self.pool.install(|| read_page(source, &page, readers))?;
                drop(page);
                read.seconds.insert("rasterise", drawn);
                let record = write(
                    source,
                    read,
                    PagePlace { folder: &folder, base: &base, record: &path, hash, version, number },
                )?;
                let gone = gone(before.as_ref(), &record);
                if let Some(index) = self.outlets.index {
                    index.remove(
                        gone.iter()
                            .copied()
                            .filter(|old| record.notices.iter().all(|new| new.key != old.key)),
                    )?;
                }
                remove_stale(&gone, &record, &folder);
                let mut report = self.report();
                report.done += 1;
                for (stage, seconds) in &record.seconds {
                    *report.seconds.entry(stage.clone()).or_default() += seconds;
                }
                drop(report);
                let (notices, rejected) = (record.notices.len(), record.rejected.len());
                self.progress.tell(&Event::PageDone { file: &source.file, page: number, notices, rejected });
                record
            }
        };
        self.report().count(&record);
        if let Some(index) = self.outlets.index {
            index.put(&folder, &record.notices)?;
        }
        if let Some(sender) = self.outlets.sender {
            let sent = sender.send(&folder, &record.notices, self.progress);
            if let Some(published) = &mut self.report().published {
                published.add(sent);
            }
        }
        Ok(())
    }
}

/// Where a page's output goes and what its record says of it.
struct PagePlace<'p> {
    folder: &'p Path,
    base: &'p str,
    record: &'p Path,
    hash: String,
    version: String,
    number: u32,
}

/// Writes the notices, then the record that makes them count.
fn write(source: &PageSource, read: ReadPage, place: PagePlace<'_>) -> Result<PageRecord, BatchError> {
    let started = Instant::now();
    let put = |path: &Path, bytes: &[u8]| {
        write_atomically(path, bytes).map_err(|source| BatchError::Write { path: path.to_owned(), source })
    };
    let mut notices = Vec::with_capacity(read.notices.len());
    for (nth, notice) in read.notices.into_iter().enumerate() {
        let name = format!("{}-{:02}", place.base, nth + 1);
        let files = NoticeFiles::of(place.folder, &name);
        put(&files.clip, &notice.clip)?;
        put(&files.markdown, notice.file.as_bytes())?;
        notices.push(NoticeRecord {
            name,
            key: notice.key,
            kind: notice.tender.kind,
            doubts: doubts(&notice.tender).into_iter().map(|(field, why)| format!("{field} {why}")).collect(),
            title: notice.tender.title,
        });
    }
    let mut seconds: std::collections::BTreeMap<String, f64> = read
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
    };
    let json = serde_json::to_vec_pretty(&record)
        .map_err(|error| BatchError::Write { path: place.record.to_owned(), source: error.into() })?;
    put(place.record, &json)?;
    Ok(record)
}

/// What an earlier reading of the page found under another key or name than this one.
fn gone<'b>(before: Option<&'b PageRecord>, now: &PageRecord) -> Vec<&'b NoticeRecord> {
    let is_kept =
        |old: &NoticeRecord| now.notices.iter().any(|new| new.name == old.name && new.key == old.key);
    before.into_iter().flat_map(|before| &before.notices).filter(|old| !is_kept(old)).collect()
}

/// Removes the files that no notice has any more.
fn remove_stale(gone: &[&NoticeRecord], now: &PageRecord, folder: &Path) {
    for notice in gone.iter().filter(|old| now.notices.iter().all(|new| new.name != old.name)) {
        NoticeFiles::of(folder, &notice.name).remove();
    }
}

/// Everything but the page that decides what is read from it.
fn version(source: &PageSource) -> String {
    let date = source.date.map(|date| date.to_string()).unwrap_or_default();
    let all = format!(
        "{}|{RULES_VERSION}|{}|{date}|{}",
        env!("CARGO_PKG_VERSION"),
        source.publication,
        source.file
    );
    hex::encode(&store::digest(all.as_bytes())[..8])
}
