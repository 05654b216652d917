//! Reading a batch: which pages are new, one after the other through reading, writing and publishing.

use super::{
    BatchError, Event, Lock, Options, Outlets, PageSource, Progress, RECORD, ReaderSource, Report, Sender,
    Sent, find, peak_memory_mib,
    read_page::read_page,
    store,
    write_page::{PagePlace, gone, judge, remove_stale, write},
};
use crate::{
    extract::RULES_VERSION,
    model::Model,
    page::{self, PageFile},
    read::{Readers, TesseractError},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// Pages held in memory at the same time: while one is drawn, the other's clips are read.
const PAGES_IN_FLIGHT: usize = 2;

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
    let _lock = Lock::run(&options.out)?;
    progress.tell(&Event::Started { files: sources.len() });
    if let Some(model) = options.extractor.model() {
        let (tokens, cost) = model.estimate(sources.len());
        progress.tell(&Event::Estimate { model: model.name(), files: sources.len(), tokens, cost });
    }
    let jobs = options.jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let run = Run {
        options,
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
    report.model = options.extractor.model().map(Model::account);
    report.publishing_stopped = outlets.sender.and_then(Sender::given_up).map(|error| error.to_string());
    Ok(report)
}

/// A batch under way.
struct Run<'r> {
    options: &'r Options,
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
        let (out, confidence_line) = (&self.options.out, self.options.confidence_line);
        let folder = out.join(&source.folder);
        let base = if file.len() > 1 { format!("{}-page{number}", source.stem) } else { source.stem.clone() };
        let path = folder.join(format!("{base}{RECORD}"));
        let extractor = &self.options.extractor;
        let (hash, version) = (file.hash(number), version(source, &extractor.version(std::iter::empty())));
        let before = store::read_record(&path);
        let record = match before {
            Some(mut record) if record.is_current(&hash, &version, &folder) => {
                if record.confidence_line != confidence_line {
                    let _lock = Lock::write(out)?;
                    judge(&mut record, &path, &folder, confidence_line)?;
                }
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
                let mut read = read_page(source, &page, readers, extractor, &self.pool)?;
                drop(page);
                let by = read.notices.iter().map(|notice| notice.extractor.as_str());
                let version = self::version(source, &extractor.version(by));
                read.seconds.insert("rasterise", drawn);
                let lock = Lock::write(out)?;
                let place = PagePlace {
                    folder: &folder,
                    base: &base,
                    record: &path,
                    hash,
                    version,
                    number,
                    confidence_line,
                };
                let record = write(source, read, place)?;
                let gone = gone(before.as_ref(), &record);
                if let Some(index) = self.outlets.index {
                    index.remove(
                        gone.iter()
                            .copied()
                            .filter(|old| record.notices.iter().all(|new| new.key != old.key)),
                    )?;
                }
                remove_stale(&gone, &record, &folder);
                drop(lock);
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
        self.report().count(&record, &folder);
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

/// Everything but the page that decides what is read from it, `extractor` being the version of who reads the notices.
fn version(source: &PageSource, extractor: &str) -> String {
    let date = source.date.map(|date| date.to_string()).unwrap_or_default();
    let all = format!(
        "{}|{RULES_VERSION}|{extractor}|{}|{date}|{}",
        env!("CARGO_PKG_VERSION"),
        source.publication,
        source.file
    );
    hex::encode(&store::digest(all.as_bytes())[..8])
}
