//! Reads pages that a portal hands out, and sends the results. The portal leases each page. While a
//! page is read, heartbeats extend its lease. A worker can be killed at any time: the lease then
//! ends, and another worker reads the page. A notice has the same key in every reading of its page,
//! so no notice is published twice.

use super::{
    options::{Options, ReaderSource},
    page_report::{dismissed_block, rejected_block, sort_blocks},
    read_page::{DecidedBoxes, read_page},
};
use crate::{
    batch::{
        BatchError, Issue, PageSource, PublicationRule,
        input::page_source::page_source,
        output::page_reading::{ReadNotice, ReadPage},
    },
    extract::Gazetteer,
    markdown,
    ocr::{OcrError, Readers},
    page::PageFile,
    portal_client::{NoticeUpload, Outcome, Portal, PortalGazetteer, PublishError, Publisher},
};
use jiff::SignedDuration;
use rayon::ThreadPool;
use serde::Serialize;
use std::{
    collections::HashSet,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use tender_model::{
    page_reading::{BlockOutcome, PageReading, PageTask, ReadBlock},
    tender::FieldState,
    terminal_text::single_line,
    vocabulary::Moment,
};
use tokio::{runtime::Runtime, task::JoinHandle};
use uuid::Uuid;

/// The maximum number of pages in memory.
const PAGES_IN_FLIGHT: usize = 2;
/// How often a lease is extended. The portal's leases last two minutes.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(30);
/// The waits between requests for a page while none waits, or while the portal is away: the first,
/// and the longest. The waits double.
const IDLE_WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];
/// The wait before a notice or a result is sent again to a portal that is away.
const OUTAGE_WAIT: Duration = Duration::from_secs(5);
/// How often a reachable portal may fail to accept a notice or a result before its page fails.
const MAX_FAILED_ROUNDS: usize = 3;
/// How often the portal is asked for new names.
const GAZETTEER_INTERVAL: Duration = Duration::from_mins(1);
/// How often a waiting thread checks for a stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long before its end a token is said to expire.
const TOKEN_WARNING: SignedDuration = SignedDuration::from_hours(14 * 24);
/// How long the pages are given back when the worker stops.
const GIVE_BACK_TIMEOUT: Duration = Duration::from_secs(5);

/// What a worker did, for its operator.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkerEvent<'e> {
    /// The worker has taken a page.
    Taken {
        /// The file.
        file: &'e str,
        /// The page in the file.
        page: u32,
    },
    /// A page was read, and its result is stored.
    Read {
        /// The file.
        file: &'e str,
        /// The page in the file.
        page: u32,
        /// The number of published notices.
        published: usize,
        /// The number of notices that wait for a decision.
        waiting: usize,
        /// The number of notices that the portal refused.
        refused: usize,
        /// The number of other blocks.
        others: usize,
    },
    /// A page could not be read.
    Failed {
        /// The file.
        file: &'e str,
        /// The page in the file.
        page: u32,
        /// The reason.
        message: &'e str,
    },
    /// The lease of a page was lost. Another worker reads the page.
    Lost {
        /// The file.
        file: &'e str,
        /// The page in the file.
        page: u32,
    },
    /// The portal is away. The worker waits for it.
    Away {
        /// The reason.
        message: &'e str,
    },
    /// The portal will soon refuse the token.
    TokenExpires {
        /// From when.
        at: Moment,
    },
}

/// What a worker did in total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerReport {
    /// The number of pages that were read.
    pub read: usize,
    /// The number of attempts that failed.
    pub failed: usize,
}

/// Why a worker ends.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The portal does not accept the worker, or is away.
    #[error(transparent)]
    Portal(#[from] PublishError),
    /// No reader is available.
    #[error(transparent)]
    Reader(#[from] OcrError),
    /// No threads can be started.
    #[error("no threads can be started ({0}); try --jobs 1")]
    Threads(String),
}

/// Why the result of a page is not sent.
enum PageEnd {
    /// The lease was lost.
    Lost,
    /// The worker stops.
    Stopped,
    /// The page could not be read.
    Failed(String),
    /// The portal does not accept the worker.
    Refused(PublishError),
}

impl From<BatchError> for PageEnd {
    fn from(error: BatchError) -> Self {
        Self::Failed(single_line(&error.to_string()))
    }
}

/// Reads pages that a portal hands out.
pub struct Worker {
    runtime: Runtime,
    publisher: Publisher,
    name: String,
    /// The leases of the pages that are being read.
    leases: Mutex<HashSet<Uuid>>,
    stop: AtomicBool,
}

/// The names that the portal wants the readers to know.
struct PortalNames {
    gazetteer: Arc<Gazetteer>,
    version: Option<String>,
    asked_at: Option<Instant>,
}

/// A running worker.
struct Run<'w> {
    worker: &'w Worker,
    options: &'w Options,
    readers: Readers,
    pool: ThreadPool,
    report: &'w (dyn Fn(&WorkerEvent<'_>) + Sync),
    /// The gazetteer with the names of the portal, and when the portal was last asked for them.
    names: Mutex<PortalNames>,
    /// The file that was opened last. Several pages of a file usually follow each other.
    file: Mutex<Option<(String, Arc<PageFile>)>>,
    read: AtomicUsize,
    failed: AtomicUsize,
    /// Whether the operator was told that the token expires.
    told_expiry: AtomicBool,
    /// Why the worker ends.
    error: Mutex<Option<PublishError>>,
}

impl Worker {
    /// Creates a worker. `name` is the name that operators see.
    ///
    /// # Errors
    /// [`PublishError::Unavailable`] if no HTTP client can be created.
    pub fn new(portal: Portal, token: &str, name: String) -> Result<Self, PublishError> {
        let unavailable = |error: io::Error| PublishError::Unavailable {
            url: portal.url.to_string(),
            reason: error.to_string(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(unavailable)?;
        let publisher = Publisher::new(portal, token)?;
        Ok(Self { runtime, publisher, name, leases: Mutex::default(), stop: AtomicBool::new(false) })
    }

    /// Reads pages until the worker is stopped, or with `once` until no page waits. Of the options,
    /// those about input and output folders are not used.
    ///
    /// # Errors
    /// If no reader is available, or the portal refuses the token. With `once`, also if the portal is
    /// away.
    pub fn run(
        &self,
        options: &Options,
        readers: ReaderSource<'_>,
        once: bool,
        report: &(dyn Fn(&WorkerEvent<'_>) + Sync),
    ) -> Result<WorkerReport, WorkerError> {
        let jobs = options.jobs.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        let run = Run {
            worker: self,
            options,
            readers: readers()?,
            pool: pool.map_err(|error| WorkerError::Threads(error.to_string()))?,
            report,
            names: Mutex::new(PortalNames {
                gazetteer: Arc::clone(&options.gazetteer),
                version: None,
                asked_at: None,
            }),
            file: Mutex::default(),
            read: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
            told_expiry: AtomicBool::new(false),
            error: Mutex::default(),
        };
        thread::scope(|scope| {
            for _ in 0..jobs.min(PAGES_IN_FLIGHT) {
                scope.spawn(|| run.work(once));
            }
        });
        match run.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => Ok(WorkerReport { read: run.read.into_inner(), failed: run.failed.into_inner() }),
        }
    }

    /// Stops the worker: gives the pages that are being read back to the portal, and takes no
    /// others. The process can end afterwards, although pages may still be in memory.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        let leases: Vec<Uuid> = self.leases().iter().copied().collect();
        let give_back = async {
            for lease in leases {
                // A page that cannot be given back waits until its lease has expired.
                let _ = self.publisher.give_back(lease).await;
            }
        };
        self.runtime.block_on(async {
            let _ = tokio::time::timeout(GIVE_BACK_TIMEOUT, give_back).await;
        });
    }

    fn leases(&self) -> MutexGuard<'_, HashSet<Uuid>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Waits, or until the worker is stopped.
    fn wait(&self, time: Duration) {
        let started = Instant::now();
        while !self.is_stopped() && started.elapsed() < time {
            thread::sleep(POLL_INTERVAL.min(time));
        }
    }
}

/// The heartbeats of a lease. They end when this value is dropped.
struct Heartbeats {
    is_lost: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl Heartbeats {
    fn start(worker: &Worker, lease: Uuid) -> Self {
        let is_lost = Arc::new(AtomicBool::new(false));
        let (lost, publisher) = (Arc::clone(&is_lost), worker.publisher.clone());
        let task = worker.runtime.spawn(async move {
            loop {
                tokio::time::sleep(HEARTBEAT_INTERVAL).await;
                if publisher.extend_lease(lease, None).await.is_err_and(|error| error.is_conflict()) {
                    lost.store(true, Ordering::SeqCst);
                    break;
                }
            }
        });
        Self { is_lost, task }
    }
}

impl Drop for Heartbeats {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Run<'_> {
    /// Takes and reads pages one after the other.
    fn work(&self, once: bool) {
        let [first_wait, longest_wait] = IDLE_WAITS;
        let mut wait = first_wait;
        let mut is_away = false;
        while !self.worker.is_stopped() {
            let taken = self.worker.runtime.block_on(self.worker.publisher.take_page(&self.worker.name));
            let taken = taken.map(|taken| {
                self.tell_expiry(taken.token_expires_at);
                taken.page
            });
            match taken {
                Ok(Some(task)) => {
                    (wait, is_away) = (first_wait, false);
                    self.read(&task);
                    continue;
                }
                Ok(None) if once => break,
                Ok(None) => is_away = false,
                Err(error) if once || error.is_final() => return self.end(error),
                Err(error) => {
                    // One report for each outage is enough.
                    if !std::mem::replace(&mut is_away, true) {
                        (self.report)(&WorkerEvent::Away { message: &error.to_string() });
                    }
                }
            }
            self.worker.wait(wait);
            wait = (wait * 2).min(longest_wait);
        }
    }

    /// Tells the operator once that the token expires soon.
    fn tell_expiry(&self, expires_at: Option<Moment>) {
        let now = (self.options.clock)().timestamp();
        let Some(at) = expires_at.filter(|at| at.timestamp().duration_since(now) <= TOKEN_WARNING) else {
            return;
        };
        if !self.told_expiry.swap(true, Ordering::Relaxed) {
            (self.report)(&WorkerEvent::TokenExpires { at });
        }
    }

    /// Ends the worker because of an error.
    fn end(&self, error: PublishError) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.worker.stop.store(true, Ordering::SeqCst);
    }

    /// Reads a page and sends its result or its failure.
    fn read(&self, task: &PageTask) {
        let (file, page) = (task.file_name.as_str(), task.number);
        (self.report)(&WorkerEvent::Taken { file, page });
        self.worker.leases().insert(task.lease);
        let heartbeats = Heartbeats::start(self.worker, task.lease);
        let ended = catch_unwind(AssertUnwindSafe(|| self.read_and_send(task, &heartbeats)))
            .unwrap_or_else(|panic| Err(BatchError::of_panic(file, &*panic).into()));
        self.worker.leases().remove(&task.lease);
        match ended {
            Ok(reading) => {
                self.read.fetch_add(1, Ordering::Relaxed);
                let count = |outcomes: &[BlockOutcome]| {
                    reading.blocks.iter().filter(|block| outcomes.contains(&block.outcome)).count()
                };
                (self.report)(&WorkerEvent::Read {
                    file,
                    page,
                    published: count(&[BlockOutcome::Tender, BlockOutcome::Doubtful]),
                    waiting: count(&[BlockOutcome::Waits]),
                    refused: count(&[BlockOutcome::Refused]),
                    others: count(&[BlockOutcome::NotANotice, BlockOutcome::TooLittleText]),
                });
            }
            Err(PageEnd::Lost) => (self.report)(&WorkerEvent::Lost { file, page }),
            Err(PageEnd::Stopped) => self.give_back(task.lease),
            Err(PageEnd::Refused(error)) => self.end(error),
            Err(PageEnd::Failed(message)) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                (self.report)(&WorkerEvent::Failed { file, page, message: &message });
                let report = self.worker.publisher.report_failure(task.lease, &message);
                // If the report does not arrive, the lease expires.
                let _ = self.worker.runtime.block_on(report);
            }
        }
    }

    fn give_back(&self, lease: Uuid) {
        let _ = self.worker.runtime.block_on(self.worker.publisher.give_back(lease));
    }

    fn read_and_send(&self, task: &PageTask, heartbeats: &Heartbeats) -> Result<PageReading, PageEnd> {
        let file = self.open_file(task, heartbeats)?;
        self.repeat(task, heartbeats, || self.worker.publisher.extend_lease(task.lease, Some(file.len())))?
            .map_err(PageEnd::Failed)?;
        let page = file.page(task.number).map_err(BatchError::from)?;
        let source = source_of(task);
        let (extractor, gazetteer) = (&self.options.extractor, self.gazetteer());
        let boxes = DecidedBoxes::of(&task.boxes);
        let read = read_page(&source, &page, &self.readers, extractor, &gazetteer, &self.pool, Some(&boxes))?;
        drop(page);
        let ReadPage { notices, rejected, publication, date, picture, .. } = read;
        let mut blocks = Vec::with_capacity(notices.len() + rejected.len());
        for notice in notices {
            blocks.push(self.publish(task, heartbeats, notice)?);
        }
        blocks.extend(rejected.into_iter().map(|(area, reason)| rejected_block(area, reason)));
        blocks.extend(boxes.dismissed.into_iter().map(dismissed_block));
        sort_blocks(&mut blocks);
        let reading = PageReading { publication, date, page_count: file.len(), blocks };
        let picture = picture.unwrap_or_default();
        self.repeat(task, heartbeats, || self.worker.publisher.send_reading(task.lease, &reading, &picture))?
            .map_err(PageEnd::Failed)?;
        Ok(reading)
    }

    /// The gazetteer with the confirmed names of the portal. A worker that cannot get them goes on
    /// with those that it has.
    fn gazetteer(&self) -> Arc<Gazetteer> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.asked_at.is_none_or(|asked_at| asked_at.elapsed() >= GAZETTEER_INTERVAL) {
            names.asked_at = Some(Instant::now());
            let known = names.version.clone();
            match self.worker.runtime.block_on(self.worker.publisher.gazetteer(known.as_deref())) {
                Ok(None) => {}
                Ok(Some(PortalGazetteer { text, version })) => match self.options.gazetteer.extended(&text) {
                    Ok(gazetteer) => {
                        names.gazetteer = Arc::new(gazetteer);
                        names.version = version;
                    }
                    Err(error) => tracing::warn!(%error, "the gazetteer of the portal is not used"),
                },
                Err(error) => tracing::warn!(%error, "the gazetteer of the portal is not known"),
            }
        }
        Arc::clone(&names.gazetteer)
    }

    /// The file of a task, which is downloaded unless it was opened last.
    fn open_file(&self, task: &PageTask, heartbeats: &Heartbeats) -> Result<Arc<PageFile>, PageEnd> {
        let mut opened = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((hash, file)) = opened.as_ref().filter(|(hash, _)| *hash == task.file_hash) {
            tracing::debug!(hash, "the file of the page is already open");
            return Ok(Arc::clone(file));
        }
        // Two files in memory are enough.
        *opened = None;
        let bytes = self
            .repeat(task, heartbeats, || self.worker.publisher.download(task))?
            .map_err(PageEnd::Failed)?;
        let file = PageFile::from_bytes(Path::new(&task.file_name), bytes).map_err(BatchError::from)?;
        let file = Arc::new(file);
        *opened = Some((task.file_hash.clone(), Arc::clone(&file)));
        Ok(file)
    }

    /// Publishes a notice and returns what became of it. A notice that waits by the publication rule
    /// also waits at the portal. A hand-drawn one without a key field waits too: the box may be wrong.
    fn publish(
        &self,
        task: &PageTask,
        heartbeats: &Heartbeats,
        notice: ReadNotice,
    ) -> Result<ReadBlock, PageEnd> {
        let ReadNotice { key, mut tender, words, clip, is_drawn, extractor } = notice;
        let rule: PublicationRule = self.options.rule;
        rule.mark_fields(&mut tender);
        let doubts = rule.doubts(&tender).join(", ");
        let block = |outcome, reason: String| ReadBlock {
            area: tender.sources.first().map(|source| source.area).unwrap_or_default(),
            outcome,
            reason: Some(reason).filter(|reason| !reason.is_empty()),
            key: Some(key.clone()),
            title: Some(tender.title.clone()),
        };
        let text = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
        let words = Some(serde_json::to_vec(&words).unwrap_or_default());
        let lacks_field = tender.uncertain_fields().values().any(|state| *state == FieldState::NotRead);
        let is_held = rule.holds(&tender) || is_drawn && lacks_field;
        let upload = NoticeUpload { key: key.clone(), notice: text, clip, words, is_held };
        let sent = self.repeat(task, heartbeats, || self.worker.publisher.publish(&upload))?;
        Ok(match sent {
            Ok(receipt) if receipt.outcome == Outcome::Review => block(BlockOutcome::Waits, doubts),
            Ok(_) if doubts.is_empty() => block(BlockOutcome::Tender, doubts),
            Ok(_) => block(BlockOutcome::Doubtful, doubts),
            Err(message) => block(BlockOutcome::Refused, message),
        })
    }

    /// Sends a request until the portal answers, while the lease is valid and the worker runs. The
    /// inner error is the reason for which the portal refuses this request.
    fn repeat<T, F>(
        &self,
        task: &PageTask,
        heartbeats: &Heartbeats,
        mut request: impl FnMut() -> F,
    ) -> Result<Result<T, String>, PageEnd>
    where
        F: Future<Output = Result<T, PublishError>>,
    {
        let Worker { runtime, publisher, .. } = self.worker;
        let mut failed_rounds = 0;
        loop {
            if self.worker.is_stopped() {
                return Err(PageEnd::Stopped);
            }
            if heartbeats.is_lost.load(Ordering::SeqCst) {
                return Err(PageEnd::Lost);
            }
            let error = match runtime.block_on(request()) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(error) => error,
            };
            match &error {
                PublishError::Refused { status: 409, .. } => return Err(PageEnd::Lost),
                PublishError::Refused { message, .. } => return Ok(Err(message.clone())),
                error if error.is_final() => return Err(PageEnd::Refused(error.clone())),
                _ => {}
            }
            // The portal may be away, or it may fail to process this request only.
            match runtime.block_on(publisher.extend_lease(task.lease, None)) {
                Ok(()) => failed_rounds += 1,
                Err(lost) if lost.is_conflict() => return Err(PageEnd::Lost),
                Err(_) => {}
            }
            if failed_rounds >= MAX_FAILED_ROUNDS {
                return Err(PageEnd::Failed(single_line(&error.to_string())));
            }
            self.worker.wait(OUTAGE_WAIT);
        }
    }
}

/// The source of a page. What was not given at the upload is read from the name of the file.
fn source_of(task: &PageTask) -> PageSource {
    let publication = Some(task.publication.clone()).filter(|publication| !publication.is_empty());
    let issue = Issue { publication, date: task.date };
    page_source(task.file_name.clone().into(), task.file_name.clone(), &issue)
}
