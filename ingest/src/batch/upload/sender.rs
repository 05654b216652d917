//! Sends notices to a portal and stores its answers beside them. A notice with a stored answer is
//! sent again only if it has changed or on request. A notice without an answer is sent again, which
//! creates no duplicate. A notice that the portal cannot process does not block others. A portal
//! that is down is retried.

use super::sent::UploadCounts;
use crate::{
    base::{digest::sha256, files::write_atomically},
    batch::{
        PublicationRule,
        output::{
            record::{NoticeFiles, NoticeRecord, Published, read_published},
            stored_review::ReviewState,
        },
        progress::{Event, Progress},
    },
    extract::add_fallback_title,
    markdown,
    portal_client::{NoticeUpload, Portal, PublishError, Publisher, Receipt},
};
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use tender_model::page_reading::ReportedPage;
use tokio::{runtime::Runtime, task::JoinSet};

/// The maximum number of concurrent uploads.
const MAX_CONCURRENT: usize = 4;
/// The maximum number of notices that are loaded at a time when unsent notices are sent again.
const MAX_BATCH: usize = 32;
/// The number of notices in a row without an answer that opens the circuit breaker.
const FAILURES_TO_OPEN: usize = 3;
/// The end of the digest of a notice that was sent to wait for review. When a reviewer accepts the
/// notice, the digest differs, so that the notice is sent again.
const HELD_SUFFIX: &str = "-held";
/// How often a waiting thread checks for a stop.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Sends notices to a portal. An open circuit breaker pauses or stops sending.
pub struct Sender {
    runtime: Runtime,
    publisher: Publisher,
    portal: Portal,
    all: bool,
    breaker: Mutex<CircuitBreaker>,
    unanswered_notices: Mutex<UnansweredNotices>,
}

/// Pauses sending while the portal is down, and stops it after a final error.
#[derive(Default)]
struct CircuitBreaker {
    /// Whether the portal has ever answered.
    has_answered: bool,
    /// Notices in a row without an answer.
    unanswered: usize,
    /// Why sending is paused or stopped, and since when.
    stop_reason: Option<(PublishError, Instant)>,
    /// How often in a row sending was paused.
    pauses: usize,
}

/// Why notices have no answer, by the key of the notice.
type UnansweredNotices = HashMap<String, String>;

/// Sends the notices of a run, and keeps the unsent ones for later attempts.
pub(crate) struct UploadQueue<'s> {
    sender: &'s Sender,
    sent: Mutex<(UploadCounts, Vec<UnsentNotice>)>,
}

/// A notice without an answer.
struct UnsentNotice {
    folder: PathBuf,
    notice: NoticeRecord,
    /// The last failure; `None` if the notice was never sent.
    why: Option<String>,
}

/// A notice that is ready to be sent.
struct QueuedNotice {
    notice: NoticeRecord,
    files: NoticeFiles,
    upload: NoticeUpload,
    digest: String,
}

impl Sender {
    /// Creates a sender. With `all`, notices that were published before are also sent.
    pub fn new(portal: Portal, token: &str, all: bool) -> Result<Self, PublishError> {
        let unavailable = |error: io::Error| PublishError::Unavailable {
            url: portal.url.to_string(),
            reason: error.to_string(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(unavailable)?;
        let publisher = Publisher::new(portal.clone(), token)?;
        Ok(Self {
            runtime,
            publisher,
            portal,
            all,
            breaker: Mutex::default(),
            unanswered_notices: Mutex::default(),
        })
    }

    fn breaker(&self) -> MutexGuard<'_, CircuitBreaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unanswered_notices(&self) -> MutexGuard<'_, UnansweredNotices> {
        self.unanswered_notices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why sending is paused or stopped.
    #[must_use]
    pub fn stop_reason(&self) -> Option<PublishError> {
        self.breaker().stop_reason.as_ref().map(|(error, _)| error.clone())
    }

    /// Resumes sending: the portal may be back, and the token may be valid now.
    pub(crate) fn resume(&self) {
        self.breaker().close();
    }

    /// Whether the portal may accept other notices: it neither refused the token nor turned out to
    /// be another service.
    fn may_accept_others(&self) -> bool {
        let breaker = self.breaker();
        breaker
            .stop_reason
            .as_ref()
            .is_none_or(|(error, _)| matches!(error, PublishError::Unavailable { .. }))
    }

    /// How long to send nothing after this many unsuccessful rounds in a row.
    pub(crate) fn pause(&self, rounds: usize) -> Duration {
        self.portal.outage_pauses[rounds.clamp(1, self.portal.outage_pauses.len()) - 1]
    }

    /// Whether notices may be sent now. A pause that is over ends here.
    fn may_send(&self) -> bool {
        let mut breaker = self.breaker();
        if breaker.is_pause_over(&self.portal.outage_pauses) {
            breaker.close();
        }
        breaker.stop_reason.is_none()
    }

    /// The portal's answer to a notice, if it is stored beside the notice.
    pub(crate) fn stored_answer(&self, files: &NoticeFiles) -> Option<Receipt> {
        let published = read_published(&files.published)?;
        (published.portal == self.portal.url.as_str()).then_some(published.receipt)
    }

    /// Reports a page to the portal, which then shows it. While sending is paused, nothing is sent.
    pub(crate) fn report_page(
        &self,
        key: &str,
        page: &ReportedPage,
        picture: &[u8],
    ) -> Result<(), PublishError> {
        if let Some(error) = self.stop_reason().filter(|_| !self.may_send()) {
            return Err(error);
        }
        self.runtime.block_on(self.publisher.report_page(key, page, picture))
    }

    /// Sends the notices of a page that were not rejected and have no stored answer. A notice that
    /// waits for review also waits at the portal. Also returns the notices that are still without
    /// an answer.
    fn send(
        &self,
        folder: &Path,
        notices: &[NoticeRecord],
        progress: &Progress,
    ) -> (UploadCounts, Vec<UnsentNotice>) {
        let mut sent = UploadCounts::default();
        let mut waiting = Vec::new();
        for notice in notices {
            let is_held = match notice.review_state(folder) {
                ReviewState::Rejected { .. } => {
                    sent.held += 1;
                    continue;
                }
                ReviewState::Waiting { .. } => true,
                ReviewState::Ready | ReviewState::Doubtful { .. } | ReviewState::Accepted => false,
            };
            let files = NoticeFiles::of(folder, &notice.name);
            match self.prepare_upload(notice, &files, is_held) {
                Ok(Some((upload, digest))) => {
                    waiting.push(QueuedNotice { notice: notice.clone(), files, upload, digest });
                }
                Ok(None) => sent.already_published += 1,
                Err(error) => {
                    let message = format!(
                        "{}: cannot be read ({error}); run the batch again",
                        files.markdown.display()
                    );
                    progress.report(&Event::NotPublished { notice: &notice.name, message: &message });
                    // The file may be back later, if its share is unavailable.
                    sent.unsent += 1;
                    sent.unanswered.push(message);
                }
            }
        }
        let unsent = self.runtime.block_on(self.send_all(folder, waiting, &mut sent, progress));
        (sent, unsent)
    }

    /// Loads a notice with its clip and its digest; `None` if the portal already has the notice.
    fn prepare_upload(
        &self,
        notice: &NoticeRecord,
        files: &NoticeFiles,
        is_held: bool,
    ) -> io::Result<Option<(NoticeUpload, String)>> {
        let text = fs::read_to_string(&files.markdown)?;
        let mut digest = hex::encode(sha256(text.as_bytes()));
        if is_held {
            digest.push_str(HELD_SUFFIX);
        }
        let before = read_published(&files.published);
        if !self.all
            && before
                .is_some_and(|before| before.portal == self.portal.url.as_str() && before.digest == digest)
        {
            return Ok(None);
        }
        let clip = fs::read(&files.clip)?;
        let words = match fs::read(&files.words) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            words => Some(words?),
        };
        let (key, notice) = (notice.key.clone(), add_field_states(text));
        Ok(Some((NoticeUpload { key, notice, clip, words, is_held }, digest)))
    }

    async fn send_all(
        &self,
        folder: &Path,
        waiting: Vec<QueuedNotice>,
        sent: &mut UploadCounts,
        progress: &Progress,
    ) -> Vec<UnsentNotice> {
        let unsent = |notice, why| UnsentNotice { folder: folder.to_owned(), notice, why };
        let mut without_answer = Vec::new();
        let mut waiting = waiting.into_iter();
        let mut under_way = JoinSet::new();
        loop {
            while under_way.len() < MAX_CONCURRENT && waiting.len() > 0 && self.may_send() {
                let Some(next) = waiting.next() else { break };
                let publisher = self.publisher.clone();
                under_way.spawn(async move {
                    let answer = publisher.publish(&next.upload).await;
                    (next, answer)
                });
            }
            let Some(finished) = under_way.join_next().await else { break };
            let Ok((QueuedNotice { notice, files, digest, .. }, answer)) = finished else {
                sent.unsent += 1;
                continue;
            };
            self.breaker().record_answer(answer.as_ref().err());
            self.unanswered_notices().remove(&notice.key);
            match answer {
                Ok(receipt) => self.record_receipt(&notice, &files, digest, receipt, sent, progress),
                Err(error) => {
                    let message = format!("{}: {error}", files.markdown.display());
                    progress.report(&Event::NotPublished { notice: &notice.name, message: &message });
                    if error.is_final() || error.is_temporary() {
                        self.unanswered_notices().insert(notice.key.clone(), message.clone());
                        without_answer.push(unsent(notice, Some(message)));
                    } else {
                        sent.refused.push(message);
                    }
                }
            }
        }
        let unanswered_notices = self.unanswered_notices();
        without_answer.extend(waiting.map(|QueuedNotice { notice, .. }| {
            let why = unanswered_notices.get(&notice.key).cloned();
            unsent(notice, why)
        }));
        without_answer
    }

    fn record_receipt(
        &self,
        notice: &NoticeRecord,
        files: &NoticeFiles,
        digest: String,
        receipt: Receipt,
        sent: &mut UploadCounts,
        progress: &Progress,
    ) {
        progress.report(&Event::Published { notice: &notice.name, outcome: receipt.outcome });
        sent.count(receipt.outcome);
        let published = Published { portal: self.portal.url.to_string(), digest, receipt };
        // If the folder cannot be written, its notices are sent in each run, which does no harm.
        let recorded = files.markdown.is_file()
            && serde_json::to_vec_pretty(&published)
                .map_err(io::Error::other)
                .and_then(|json| write_atomically(&files.published, &json))
                .is_ok();
        sent.unrecorded += usize::from(!recorded);
    }
}

/// Adds the field states if the file was written by an old version without them. An invalid file is
/// not changed, and the portal refuses it.
fn add_field_states(text: String) -> String {
    match markdown::read(&text) {
        Ok(mut tender) if tender.field_states.is_none() => {
            add_fallback_title(&mut tender);
            PublicationRule::default().mark_fields(&mut tender);
            markdown::write(&tender, None).unwrap_or(text)
        }
        _ => text,
    }
}

impl CircuitBreaker {
    /// Records the result of an upload.
    fn record_answer(&mut self, error: Option<&PublishError>) {
        match error {
            Some(error) if error.is_final() => {
                self.stop_reason.get_or_insert((error.clone(), Instant::now()));
            }
            Some(error) if error.is_temporary() => {
                self.unanswered += 1;
                if self.unanswered >= FAILURES_TO_OPEN && self.stop_reason.is_none() {
                    self.stop_reason = Some((error.clone(), Instant::now()));
                    self.pauses += 1;
                }
            }
            _ => {
                let stop_reason = self.stop_reason.take().filter(|(error, _)| error.is_final());
                *self = Self { has_answered: true, stop_reason, ..Self::default() };
            }
        }
    }

    /// Closes the breaker, so that sending resumes. One more failure opens the breaker again.
    fn close(&mut self) {
        if self.stop_reason.take().is_some() {
            self.unanswered = FAILURES_TO_OPEN - 1;
        }
    }

    /// Whether the pause is over.
    fn is_pause_over(&self, pauses: &[Duration]) -> bool {
        let pause = pauses.get(self.pauses.saturating_sub(1)).or(pauses.last()).copied().unwrap_or_default();
        self.stop_reason.as_ref().is_some_and(|(error, since)| !error.is_final() && since.elapsed() >= pause)
    }

    /// Whether a portal that has answered before is down.
    fn is_down(&self) -> bool {
        self.has_answered && self.stop_reason.as_ref().is_some_and(|(error, _)| !error.is_final())
    }
}

impl<'s> UploadQueue<'s> {
    pub(crate) fn new(sender: &'s Sender) -> Self {
        Self { sender, sent: Mutex::default() }
    }

    /// The sender of the notices.
    pub(crate) const fn sender(&self) -> &'s Sender {
        self.sender
    }

    /// Sends the notices of a page. Notices that have failed before are left to [`Self::close`],
    /// because they may be notices that the portal cannot process.
    pub(crate) fn send(&self, folder: &Path, notices: &[NoticeRecord], progress: &Progress) {
        let (mut first, mut later) = (Vec::new(), Vec::new());
        let unanswered_notices = self.sender.unanswered_notices().clone();
        for notice in notices.iter().cloned() {
            match unanswered_notices.get(&notice.key) {
                Some(why) => {
                    later.push(UnsentNotice { folder: folder.to_owned(), notice, why: Some(why.clone()) })
                }
                None => first.push(notice),
            }
        }
        let (sent, unsent) = self.sender.send(folder, &first, progress);
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.add(sent);
        all.1.extend(unsent.into_iter().chain(later));
    }

    /// Sends the remaining notices, beginning with those that were never sent. With
    /// `waits_for_portal`, waits for a portal that is down. `stop` ends sending and waiting.
    pub(crate) fn close(
        self,
        waits_for_portal: bool,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> UploadCounts {
        let Self { sender, sent } = self;
        let (mut sent, mut unsent) = sent.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut rounds = if waits_for_portal { sender.portal.round_waits.iter() } else { [].iter() };
        let is_untried = |unsent: &[UnsentNotice]| unsent.iter().any(|unsent| unsent.why.is_none());
        // Without `waits_for_portal`, nothing is sent to a portal that is down. A portal that has
        // never answered may still answer for other notices.
        let mut is_worth_it = sender.may_send()
            || waits_for_portal
                && (sender.breaker().is_down() || is_untried(&unsent) && sender.may_accept_others());
        while is_worth_it && !unsent.is_empty() && !stop.load(Ordering::Relaxed) {
            sender.resume();
            unsent.sort_by_key(|unsent| unsent.why.is_some());
            let before = unsent.len();
            let mut left = Vec::new();
            while !unsent.is_empty() && sender.may_send() && !stop.load(Ordering::Relaxed) {
                let folder = unsent[0].folder.clone();
                let of_folder = unsent.iter().take_while(|unsent| unsent.folder == folder).count();
                let some: Vec<UnsentNotice> = unsent.drain(..of_folder.min(MAX_BATCH)).collect();
                let notices: Vec<NoticeRecord> = some.into_iter().map(|unsent| unsent.notice).collect();
                let (more, without_answer) = sender.send(&folder, &notices, progress);
                sent.add(more);
                left.extend(without_answer);
            }
            left.append(&mut unsent);
            unsent = left;
            // A portal that has answered for some notices is not down, so untried ones are sent
            // now.
            let is_answering = unsent.len() < before && is_untried(&unsent) && sender.may_accept_others();
            is_worth_it = is_answering
                || sender.breaker().is_down()
                    && rounds.next().is_some_and(|&pause| wait_unless_stopped(pause, stop));
        }
        sent.unsent += unsent.len();
        // If sending is paused or stopped, the reason is reported once and not for each notice.
        if sender.stop_reason().is_none() {
            sent.unanswered.extend(unsent.into_iter().filter_map(|unsent| unsent.why));
        }
        sent
    }
}

/// Waits until the pause is over or `stop` is set. Returns whether the pause is over.
fn wait_unless_stopped(pause: Duration, stop: &AtomicBool) -> bool {
    let until = Instant::now() + pause;
    while !stop.load(Ordering::Relaxed) {
        match until.checked_duration_since(Instant::now()) {
            None | Some(Duration::ZERO) => return true,
            Some(left) => thread::sleep(left.min(POLL_INTERVAL)),
        }
    }
    false
}
