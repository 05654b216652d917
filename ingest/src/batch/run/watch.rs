//! Watches a drop folder: reads pages as they arrive, and sends reviews and unsent notices later. A
//! file counts as complete when its size and modification time have been stable for a while. Slower
//! copies must use a temporary name (`.part`, `.tmp` or a leading dot) and rename the file.

use super::{
    catch_up::catch_up,
    engine::read_files,
    options::{Options, ReaderSource, RunControl, Sinks},
    report::{Report, RetryCandidate},
    work::WorkList,
};
use crate::batch::{
    BatchError, Lock, PageSource, Progress, Sender, UploadCounts,
    file_names::REVIEW_SUFFIX,
    input::{
        duplicates::DigestCache,
        page_source::{Stamp, stamp},
    },
    output::listing,
};
use std::{
    collections::{HashMap, HashSet},
    mem,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tender_model::terminal_text::single_line;

/// How often the folder is polled without file system events. Changes by other machines cause no
/// events.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// The shortest poll interval while a file is not stable yet or another process uses the folder.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// A file with a temporary error is retried after [`POLL_INTERVAL`]. Each further wait is twice as
/// long, up to this many doublings.
const MAX_BACKOFF_DOUBLINGS: u32 = 6;

/// The number of retries of a file whose page may be the cause of the error. The command `retry`
/// can still read the file later.
const MAX_RETRIES: u32 = 5;

/// The environment of a watch: clock, waiting and reporting.
pub struct WatchEnvironment<'w> {
    /// The time since a fixed moment.
    pub now: &'w dyn Fn() -> Duration,
    /// Waits for an event, at most this long.
    pub wait: &'w mut dyn FnMut(Duration),
    /// Stops the watch after the current pages.
    pub stop: &'w AtomicBool,
    /// Receives the report of each round that has news for the operator.
    pub report: &'w mut dyn FnMut(&Report),
}

/// Watches the folders of `options` until stopped. `settle` is how long a file must be stable.
///
/// # Errors
/// If the folders cannot be listed or the output cannot be written, either in the first round or
/// for a reason that is not temporary.
pub fn watch(
    options: &Options,
    settle: Duration,
    readers: ReaderSource<'_>,
    sinks: Sinks<'_>,
    progress: &Progress,
    mut environment: WatchEnvironment<'_>,
) -> Result<(), BatchError> {
    // The lock file marks the output folder from now on. If it is missing later, the folder was
    // emptied or its share is unavailable.
    match Lock::acquire_run(&options.out) {
        Err(BatchError::Busy(_)) => {}
        held => drop(held?),
    }
    let mut watch = Watch {
        options,
        readers,
        sinks,
        progress,
        debouncer: Debouncer::new(settle),
        reported: HashSet::new(),
        digests: DigestCache::default(),
        pending: PendingWork { is_unsent: true, ..PendingWork::default() },
        problems: None,
    };
    let (mut has_begun, mut last_problems) = (false, None);
    while !environment.stop.load(Ordering::Relaxed) {
        match watch.run_round(&mut environment) {
            Ok(RoundOutcome::Read) => {}
            Ok(RoundOutcome::Quiet) => {
                let is_near = watch.debouncer.is_waiting((environment.now)());
                (environment.wait)(if is_near { settle.max(MIN_POLL_INTERVAL) } else { POLL_INTERVAL });
            }
            // An unavailable share may come back. The same error is reported only once in a row.
            Err(error) if has_begun && error.is_temporary() => {
                let problems = Some(single_line(&error.to_string()));
                if last_problems != problems {
                    (environment.report)(&Report {
                        failed: problems.clone().into_iter().collect(),
                        ..Report::default()
                    });
                }
                last_problems = problems;
                (environment.wait)(POLL_INTERVAL);
                continue;
            }
            Err(error) => return Err(error),
        }
        (has_begun, last_problems) = (true, None);
    }
    Ok(())
}

/// A running watch.
struct Watch<'w> {
    options: &'w Options,
    readers: ReaderSource<'w>,
    sinks: Sinks<'w>,
    progress: &'w Progress,
    debouncer: Debouncer,
    /// Names of failures, duplicates and skipped files that were already reported.
    reported: HashSet<String>,
    /// The digests of files of equal size.
    digests: DigestCache,
    pending: PendingWork,
    /// The problems that were reported last.
    problems: Option<String>,
}

/// The result of a round.
enum RoundOutcome {
    /// Pages were read. More may have arrived in the meantime.
    Read,
    /// There is nothing to do until something happens.
    Quiet,
}

impl Watch<'_> {
    /// Checks the folders once and reads or sends what is ready.
    fn run_round(&mut self, environment: &mut WatchEnvironment<'_>) -> Result<RoundOutcome, BatchError> {
        let mut work = WorkList::find_arrived(self.options, &mut self.digests)?;
        let sources = work.tasks.iter().map(|task| &task.source);
        let ready = self.debouncer.take_stable((environment.now)(), sources.filter_map(with_stamp).collect());
        work.tasks.retain(|task| ready.contains(&task.source.path));
        // Each failure, duplicate and skipped file is reported once.
        let mut is_new = |name: String| self.reported.insert(name);
        work.left_out.retain(|error| is_new(error.to_string()));
        work.duplicates.retain(|duplicate| is_new(format!("{} = {}", duplicate.file, duplicate.of)));
        work.passed_over.retain(|file| is_new(file.clone()));
        let done = self.do_work(work, environment);
        if !matches!(done, Ok(Some(_))) {
            self.debouncer.release(&ready);
            self.reported.clear();
            self.pending.is_unsent = true;
        }
        Ok(done?.unwrap_or(RoundOutcome::Quiet))
    }

    /// Does the work of a round; `None` if another process holds the run lock.
    fn do_work(
        &mut self,
        work: WorkList,
        environment: &mut WatchEnvironment<'_>,
    ) -> Result<Option<RoundOutcome>, BatchError> {
        let (is_news, now) = (!work.is_empty(), (environment.now)());
        let is_due = self.pending.is_due(self.options, self.sinks, now)?;
        if !(is_news || is_due) {
            return Ok(Some(RoundOutcome::Quiet));
        }
        let _lock = match Lock::reacquire_run(&self.options.out) {
            Err(BatchError::Busy(_)) => return Ok(None),
            lock => lock?,
        };
        // The run does not wait for the portal, because a later round sends the notices again.
        let control = RunControl { stop: environment.stop, waits_for_portal: false };
        let Self { options, readers, sinks, progress, .. } = *self;
        let may_send = now >= self.pending.next;
        // The portal may be back, and the token may be valid now.
        if let Some(sender) = sinks.sender.filter(|_| may_send) {
            sender.resume();
        }
        let report = if is_news {
            read_files(options, work, readers, sinks, progress, control)?
        } else {
            catch_up(&options.out, sinks, progress, control)?
        };
        let (now, is_unsent) = ((environment.now)(), is_unsent(&report, sinks));
        self.debouncer.schedule_retry(&report.retry_candidates, now);
        if may_send && (is_unsent || !is_news) {
            self.pending.record_round(is_unsent, sinks.sender, now);
        } else {
            // Reading a batch does not send notices that were unsent before, so they stay pending.
            self.pending.is_unsent = is_unsent || is_news && self.pending.is_unsent;
        }
        // A portal that stays down is not reported in every round.
        let problems = report.problems();
        let is_other_trouble = problems.is_some() && problems != self.problems;
        self.problems = problems;
        let is_worth_reporting =
            report.indexed.is_some() || report.published.as_ref().is_some_and(UploadCounts::has_receipts);
        if is_news || is_worth_reporting || is_other_trouble {
            (environment.report)(&report);
        }
        Ok(Some(if is_news { RoundOutcome::Read } else { RoundOutcome::Quiet }))
    }
}

/// What must still be sent to the portal or indexed.
#[derive(Default)]
struct PendingWork {
    /// The stored reviews and their stamps.
    reviews: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether something may be unsent or not indexed. A watch starts with true, because an earlier
    /// run may have left unsent notices.
    is_unsent: bool,
    /// The number of rounds in a row that failed to send.
    failed_rounds: usize,
    /// The earliest time of the next attempt to send.
    next: Duration,
}

impl PendingWork {
    /// Whether reviews have changed, or another attempt to send is due.
    fn is_due(&mut self, options: &Options, sinks: Sinks<'_>, now: Duration) -> Result<bool, BatchError> {
        if sinks.sender.is_none() && sinks.index.is_none() {
            return Ok(false);
        }
        let reviews = listing::list_files(&options.out, REVIEW_SUFFIX)?;
        let reviews: Vec<_> = reviews.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
        let has_changed = reviews != self.reviews;
        self.reviews = reviews;
        self.is_unsent |= has_changed;
        Ok(has_changed || self.is_unsent && now >= self.next)
    }

    /// Records the result of a round that tried to send, and schedules the next attempt.
    fn record_round(&mut self, is_unsent: bool, sender: Option<&Sender>, now: Duration) {
        self.is_unsent = is_unsent;
        self.failed_rounds = if is_unsent { self.failed_rounds + 1 } else { 0 };
        let pause = sender.map_or(POLL_INTERVAL, |sender| sender.pause(self.failed_rounds));
        self.next = now + if is_unsent { pause } else { Duration::ZERO };
    }
}

/// Whether notices are unsent or the index is not filled.
fn is_unsent(report: &Report, sinks: Sinks<'_>) -> bool {
    let is_unfilled = sinks.index.is_some() && report.indexed.is_none();
    is_unfilled || report.published.as_ref().is_some_and(|sent| sent.unsent > 0)
}

fn with_stamp(source: &PageSource) -> Option<(PathBuf, Stamp)> {
    Some((source.path.clone(), stamp(&source.path)?))
}

/// Decides when files are stable.
struct Debouncer {
    settle: Duration,
    seen: HashMap<PathBuf, SeenFile>,
}

struct SeenFile {
    stamp: Stamp,
    since: Duration,
    is_taken: bool,
    /// The number of scheduled retries.
    tries: u32,
    /// The earliest time of the next attempt.
    not_before: Duration,
}

impl Debouncer {
    fn new(settle: Duration) -> Self {
        Self { settle, seen: HashMap::new() }
    }

    /// Returns the files that have been stable long enough and were not taken before, and takes
    /// them.
    fn take_stable(&mut self, now: Duration, files: Vec<(PathBuf, Stamp)>) -> Vec<PathBuf> {
        let mut before = mem::take(&mut self.seen);
        let mut ready = Vec::new();
        for (path, stamp) in files {
            let known = before.remove(&path).filter(|seen| seen.stamp == stamp);
            let mut seen =
                known.unwrap_or(SeenFile { stamp, since: now, is_taken: false, tries: 0, not_before: now });
            if !seen.is_taken && now >= seen.not_before && now.saturating_sub(seen.since) >= self.settle {
                seen.is_taken = true;
                ready.push(path.clone());
            }
            self.seen.insert(path, seen);
        }
        ready
    }

    /// Releases files that were not read, so that they are taken again.
    fn release(&mut self, files: &[PathBuf]) {
        for path in files {
            if let Some(seen) = self.seen.get_mut(path) {
                seen.is_taken = false;
            }
        }
    }

    /// Schedules the retries of failed files.
    fn schedule_retry(&mut self, files: &[RetryCandidate], now: Duration) {
        // A file with several pages may be listed several times.
        for path in files.iter().map(|file| &file.path).collect::<HashSet<_>>() {
            let Some(seen) = self.seen.get_mut(path) else { continue };
            let mut of_file = files.iter().filter(|file| file.path == *path);
            if of_file.all(|file| file.may_be_page_fault) && seen.tries >= MAX_RETRIES {
                continue;
            }
            seen.is_taken = false;
            seen.not_before = now + POLL_INTERVAL * 2_u32.pow(seen.tries.min(MAX_BACKOFF_DOUBLINGS));
            seen.tries += 1;
        }
    }

    /// Whether a file may be ready soon.
    fn is_waiting(&self, now: Duration) -> bool {
        self.seen.values().any(|seen| !seen.is_taken && seen.not_before <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(size: u64) -> Vec<(PathBuf, Stamp)> {
        vec![("p1.jpg".into(), (size, None))]
    }

    #[test]
    fn a_file_is_taken_when_stable_and_again_after_a_change() {
        let at = Duration::from_secs;
        let mut debouncer = Debouncer::new(at(2));
        assert!(debouncer.take_stable(at(0), file(10)).is_empty());
        assert!(debouncer.take_stable(at(1), file(20)).is_empty(), "the file grows");
        assert!(debouncer.take_stable(at(2), file(20)).is_empty(), "the file has not changed for one second");
        assert!(debouncer.is_waiting(at(2)));
        assert_eq!(debouncer.take_stable(at(3), file(20)), [PathBuf::from("p1.jpg")]);
        assert!(!debouncer.is_waiting(at(3)));
        assert!(debouncer.take_stable(at(9), file(20)).is_empty(), "the file is taken once");
        assert!(debouncer.take_stable(at(10), file(30)).is_empty());
        assert_eq!(debouncer.take_stable(at(12), file(30)).len(), 1, "the file was replaced");
        assert!(debouncer.take_stable(at(13), Vec::new()).is_empty());
        assert!(debouncer.take_stable(at(14), file(30)).is_empty(), "a file that returns is debounced again");
    }

    #[test]
    fn a_released_file_is_taken_again() {
        let at = Duration::from_secs;
        let mut debouncer = Debouncer::new(at(0));
        let ready = debouncer.take_stable(at(0), file(1));
        debouncer.release(&ready);
        assert_eq!(debouncer.take_stable(at(0), file(1)), ready);
    }

    #[test]
    fn temporary_errors_are_retried_with_backoff() {
        let mut debouncer = Debouncer::new(Duration::ZERO);
        let (mut now, mut waits) = (Duration::ZERO, Vec::new());
        for _ in 0..9 {
            let begun = now;
            while debouncer.take_stable(now, file(1)).is_empty() {
                assert!(!debouncer.is_waiting(now));
                now += Duration::from_secs(1);
            }
            waits.push((now - begun).as_secs());
            let again = RetryCandidate { path: "p1.jpg".into(), may_be_page_fault: false };
            debouncer
                .schedule_retry(&[again.clone(), RetryCandidate { may_be_page_fault: true, ..again }], now);
        }
        assert_eq!(waits, [0, 30, 60, 120, 240, 480, 960, 1920, 1920]);
    }

    #[test]
    fn retries_of_an_unreadable_page_are_limited() {
        let mut debouncer = Debouncer::new(Duration::ZERO);
        let hour = Duration::from_secs(3600);
        let tries = (0..100).filter(|&nth| {
            let is_taken = !debouncer.take_stable(hour * nth, file(1)).is_empty();
            debouncer.schedule_retry(
                &[RetryCandidate { path: "p1.jpg".into(), may_be_page_fault: true }],
                hour * nth,
            );
            is_taken
        });
        assert_eq!(tries.count(), 1 + MAX_RETRIES as usize);
        assert_eq!(debouncer.take_stable(hour * 100, file(2)).len(), 1, "the file was replaced");
    }
}
