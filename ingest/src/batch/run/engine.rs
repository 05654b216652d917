//! Runs a batch: reads and writes the new pages, and publishes the notices of all pages.

use super::{
    options::{Options, ReaderSource, RunControl, Sinks},
    page_report::PageReport,
    read_page::{DecidedBoxes, read_page},
    report::{Report, RetryCandidate},
    version::{output_name, version},
    work::{FileTask, WorkList},
};
use crate::{
    batch::{
        BatchError, Event, Lock, PageFailure, PageSource, Progress, Stage,
        output::{
            failures::FailureLog,
            file_io::write_record,
            output_paths::OutputPaths,
            page_writer::{PageTarget, RemovalReason, apply_rule, remove_page, write},
            record,
        },
        upload::sender::UploadQueue,
    },
    llm::Model,
    ocr::{OcrError, Readers},
    page::{self, PageFile},
    portal_client::PublishError,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use tender_model::terminal_text::{counted, single_line};

/// The remark if `--replace` removes nothing because pages failed or the run was stopped.
const NOT_REPLACED: &str = "--replace removed nothing, because not all pages of the batch were read";
/// The maximum number of pages in memory: one is decoded while the clips of the other are read.
const PAGES_IN_FLIGHT: usize = 2;

/// Runs a batch.
///
/// # Errors
/// If the batch as a whole fails. A failed page is listed in the report.
pub fn run(
    options: &Options,
    readers: ReaderSource<'_>,
    sinks: Sinks<'_>,
    progress: &Progress,
) -> Result<Report, BatchError> {
    let work = WorkList::find_pages(options)?;
    let _lock = Lock::acquire_run(&options.out)?;
    let control = RunControl { stop: &AtomicBool::new(false), waits_for_portal: true };
    read_files(options, work, readers, sinks, progress, control)
}

/// Reads the files of a work list. The caller holds the run lock.
pub(crate) fn read_files(
    options: &Options,
    work: WorkList,
    readers: ReaderSource<'_>,
    sinks: Sinks<'_>,
    progress: &Progress,
    RunControl { stop, waits_for_portal }: RunControl<'_>,
) -> Result<Report, BatchError> {
    let started = Instant::now();
    let sources = work.tasks;
    progress.report(&Event::Started { files: sources.len() });
    if let Some(model) = options.extractor.model() {
        let (tokens, cost) = model.estimate(sources.len());
        progress.report(&Event::Estimate { model: model.name(), files: sources.len(), tokens, cost });
    }
    let jobs = options.jobs.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let run = Run {
        options,
        pool: pool.map_err(|error| BatchError::Threads(error.to_string()))?,
        source: readers,
        readers: OnceLock::new(),
        output_paths: OutputPaths::load(&options.out)?,
        failures: FailureLog::load(&options.out)?,
        queue: sinks.sender.map(UploadQueue::new),
        progress,
        report: Mutex::new(Report {
            failed: work.left_out.iter().map(|error| single_line(&error.to_string())).collect(),
            duplicates: work.duplicates,
            passed_over: work.passed_over,
            ..Report::default()
        }),
        files_read: AtomicUsize::new(0),
        lacks_reader: AtomicBool::new(false),
        stop,
    };
    let (next, done, files) = (AtomicUsize::new(0), AtomicUsize::new(0), sources.len());
    thread::scope(|scope| {
        for _ in 0..jobs.min(PAGES_IN_FLIGHT) {
            scope.spawn(|| {
                while let Some(task) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if run.is_ending() {
                        break;
                    }
                    let was_read = run.read_file(task);
                    let read = run.files_read.fetch_add(usize::from(was_read), Ordering::Relaxed);
                    let read = read + usize::from(was_read);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    let remaining = estimate_remaining(started.elapsed(), read, files - done);
                    progress.report(&Event::FileDone { file: &task.source.file, done, files, remaining });
                }
            });
        }
    });
    if options.replace {
        run.remove_replaced();
    }
    run.report().remarks.extend(run.output_paths.remarks());
    if let Some(Err(error)) = run.readers.into_inner() {
        return Err(error.into());
    }
    let mut report = run.report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.model = options.extractor.model().map(Model::usage_report);
    report.published = run.queue.map(|queue| queue.close(waits_for_portal, stop, progress));
    report.finish(sinks, started);
    Ok(report)
}

/// A running batch.
struct Run<'r> {
    options: &'r Options,
    pool: rayon::ThreadPool,
    source: ReaderSource<'r>,
    readers: OnceLock<Result<Readers, OcrError>>,
    output_paths: OutputPaths,
    failures: FailureLog,
    queue: Option<UploadQueue<'r>>,
    progress: &'r Progress,
    report: Mutex<Report>,
    /// The number of files with at least one page that was read.
    files_read: AtomicUsize,
    /// Whether the run ends because no reader is available.
    lacks_reader: AtomicBool,
    /// Whether the operator stopped the run.
    stop: &'r AtomicBool,
}

/// The remaining seconds if each of the `left` files takes as long as the average file that was
/// read. `None` if no file was read.
fn estimate_remaining(elapsed: Duration, read: usize, left: usize) -> Option<u64> {
    (read > 0).then(|| (elapsed.as_secs_f64() / read as f64 * left as f64).round() as u64)
}

impl Run<'_> {
    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_ending(&self) -> bool {
        self.lacks_reader.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Reports and stores a failure.
    fn record_failure(
        &self,
        source: &PageSource,
        base: &str,
        page: Option<(u32, String)>,
        error: &BatchError,
    ) {
        let mut message = single_line(&error.to_string());
        self.progress.report(&Event::PageFailed { file: &source.file, message: &message });
        let at = (self.options.clock)();
        let (page, hash) = page.unzip();
        let failure = PageFailure { source: source.clone(), page, hash, message: message.clone(), at };
        // The failure must not be written to the empty mount point of an unavailable share.
        let lock = Lock::acquire_change_during_run(&self.options.out);
        let is_stored = lock.is_ok_and(|_lock| self.failures.record(base, failure).is_ok());
        if !is_stored {
            // Only a run of the batch finds the page again.
            message.push_str("; `retry` does not know it: run its batch again");
        }
        let mut report = self.report();
        if error.is_temporary() || !is_stored {
            let may_be_page_fault = is_stored && error.may_be_page_fault();
            report.retry_candidates.push(RetryCandidate { path: source.path.clone(), may_be_page_fault });
        }
        report.failed.push(message);
    }

    /// Removes the output of pages that were replaced.
    fn remove_replaced(&self) {
        let out = &self.options.out;
        let mut report = self.report();
        // A page that seems replaced may be in a file that could not be opened.
        if self.is_ending() || !report.failed.is_empty() {
            report.remarks.push(NOT_REPLACED.to_owned());
            return;
        }
        for (slot, hash) in self.output_paths.replaced_outputs() {
            let removed = Lock::acquire_change_during_run(out)
                .and_then(|_lock| remove_page(out, &slot, &hash, RemovalReason::Replaced));
            let path = single_line(&slot.record(out).to_string_lossy());
            match removed {
                Ok(notices) => {
                    self.output_paths.forget(&slot, &hash);
                    report
                        .remarks
                        .push(format!("{path}: replaced, with its {}", counted(notices.len(), "notice")));
                }
                Err(error) => report.failed.push(single_line(&error.to_string())),
            }
        }
    }

    /// Reads a file. Returns whether at least one page was read.
    fn read_file(&self, task: &FileTask) -> bool {
        let source = &task.source;
        let file = match page::open(&source.path) {
            Ok(file) => file,
            Err(error) => {
                self.record_failure(source, &source.stem, None, &error.into());
                return false;
            }
        };
        let mut was_read = false;
        for number in 1..=file.len() {
            if task.pages.as_ref().is_some_and(|pages| !pages.contains(&number)) {
                continue;
            }
            if self.is_ending() {
                break;
            }
            // A panic on one page must not affect the others.
            let done = catch_unwind(AssertUnwindSafe(|| self.process_page(source, &file, number)));
            let done = done.unwrap_or_else(|panic| Err(BatchError::of_panic(&source.file, &*panic)));
            let lacks_reader = self.lacks_reader.load(Ordering::Relaxed);
            match done {
                _ if lacks_reader => {}
                Ok(read) => {
                    was_read |= read;
                    self.failures.remove_page(source, number, &file.hash(number));
                }
                Err(error) => {
                    let page = (number, file.hash(number));
                    self.record_failure(source, &output_name(source, &file, number), Some(page), &error);
                }
            }
        }
        // The failure to open the file is removed last. Until then, `retry` reads all pages of the
        // file.
        if !self.is_ending() {
            self.failures.remove_outdated(source, file.len());
        }
        was_read
    }

    /// Reads and writes a page unless it is up to date, and publishes its notices. Returns whether
    /// the page was read.
    fn process_page(&self, source: &PageSource, file: &PageFile, number: u32) -> Result<bool, BatchError> {
        let (out, rule) = (&self.options.out, self.options.rule);
        let hash = file.hash(number);
        let place = self.output_paths.reserve(source, number, &output_name(source, file, number), &hash);
        let (folder, path) = (out.join(&place.slot.folder), place.slot.record(out));
        let (extractor, gazetteer) = (&self.options.extractor, self.options.gazetteer.as_ref());
        let version = |by: String| version(source, &by, gazetteer);
        let wanted = version(extractor.version(std::iter::empty()));
        let before = record::read_record_of_page(&path, &hash);
        let mut was_read = false;
        let mut page_report = None;
        let record = match before {
            Some(mut record) if place.left.is_empty() && record.is_current(&wanted, &folder) => {
                let from = source.path_hash();
                if record.rule != rule {
                    let _lock = Lock::acquire_change_during_run(out)?;
                    record.from = from;
                    apply_rule(&mut record, &path, &folder, rule)?;
                } else if record.from != from {
                    let _lock = Lock::acquire_change_during_run(out)?;
                    record.from = from;
                    write_record(&path, &record)?;
                }
                self.report().unchanged += 1;
                self.progress.report(&Event::PageUnchanged { file: &source.file, page: number });
                record
            }
            _ => {
                let started = Instant::now();
                self.report_stage(source, number, Stage::Draw);
                let page = file.page(number)?;
                let drawn = started.elapsed().as_secs_f64();
                let Ok(readers) = self.readers.get_or_init(self.source) else {
                    // Without a reader, no page can be read: the batch ends with this error.
                    self.lacks_reader.store(true, Ordering::Relaxed);
                    return Ok(false);
                };
                self.report_stage(source, number, Stage::Read);
                let shown = self.queue.as_ref().map(|_| DecidedBoxes::default());
                let mut read =
                    read_page(source, &page, readers, extractor, gazetteer, &self.pool, shown.as_ref())?;
                drop(page);
                let by = read.notices.iter().map(|notice| notice.extractor.as_str());
                let version = version(extractor.version(by));
                read.seconds.insert("rasterise", drawn);
                self.report_stage(source, number, Stage::Write);
                was_read = true;
                if let Some(remark) = read.remark.take() {
                    self.report().remarks.push(single_line(&remark));
                }
                page_report = PageReport::take(&mut read);
                let lock = Lock::acquire_change_during_run(out)?;
                let page = PageTarget { out, place: &place, hash, version, number, rule };
                let record = write(source, read, page)?;
                drop(lock);
                let mut report = self.report();
                report.done += 1;
                report.remarks.extend(place.remark(source, number));
                for (stage, seconds) in &record.seconds {
                    *report.seconds.entry(stage.clone()).or_default() += seconds;
                }
                drop(report);
                let (notices, rejected) = (record.notices.len(), record.rejected.len());
                self.progress.report(&Event::PageDone {
                    file: &source.file,
                    page: number,
                    notices,
                    rejected,
                });
                record
            }
        };
        self.output_paths.mark_written(&record.hash);
        self.report().count(&record, &folder);
        if let Some(queue) = &self.queue {
            self.report_stage(source, number, Stage::Publish);
            queue.send(&folder, &record.notices, self.progress);
            let reported = page_report.map(|report| report.send(queue.sender(), file, &record, &folder));
            // A portal that is down is reported elsewhere, and an old one does not show pages.
            if let Some(Err(PublishError::Refused { message, .. })) = reported {
                let remark =
                    format!("{}, page {number}: the portal does not show the page: {message}", source.file);
                self.report().remarks.push(single_line(&remark));
            }
        }
        Ok(was_read)
    }

    fn report_stage(&self, source: &PageSource, page: u32, stage: Stage) {
        self.progress.report(&Event::Stage { file: &source.file, page, stage });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_is_extrapolated() {
        assert_eq!(estimate_remaining(Duration::from_secs(30), 0, 4), None);
        assert_eq!(estimate_remaining(Duration::from_secs(30), 3, 4), Some(40));
        assert_eq!(estimate_remaining(Duration::from_secs(30), 3, 0), Some(0));
    }
}
