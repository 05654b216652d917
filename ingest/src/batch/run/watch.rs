//! A drop folder: pages are read as they come, and what people decide meanwhile, or what a portal that was away could not be told, is
//! sent after. A file counts as whole once its size and time of change have stood still for
//! a while; whoever copies slower than that writes under another name (`.part`, `.tmp`, a dot first) and renames.

use super::{
    catch_up::catch_up,
    engine::read,
    options::{Options, ReaderSource, RunControl, Sinks},
    report::{Report, RetryCandidate},
    work::WorkList,
};
use crate::{
    batch::{
        BatchError, Lock, PageSource, Progress, Sender, UploadCounts,
        file_names::REVIEW,
        input::{
            duplicates::DigestCache,
            page_source::{Stamp, stamp},
        },
        output::listing,
    },
    message::line,
};
use std::{
    collections::{HashMap, HashSet},
    mem,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// With nothing in hand, the folder is looked at this often, even where the system says that nothing happened: it does not
/// hear of what other machines write.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// While a file is still to stand still, or another `ingest` is at work there, it is looked at no more often than this.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// What could not be read for something that may pass is tried again after one round, and each time after twice as many, up to
/// two to this.
const MAX_BACKOFF_DOUBLINGS: u32 = 6;

/// A page that fails for what may be its own fault is read so often again: otherwise that never ends. `retry` tries on.
const MAX_TRIES: u32 = 5;

/// A watch's surroundings: time, and who is told.
pub struct WatchEnvironment<'w> {
    /// Time since some fixed moment.
    pub now: &'w dyn Fn() -> Duration,
    /// Waits until something happened, at most this long.
    pub wait: &'w mut dyn FnMut(Duration),
    /// Ends the watch after the page in hand.
    pub stop: &'w AtomicBool,
    /// Takes the report of each round that did something.
    pub report: &'w mut dyn FnMut(&Report),
}

/// Watches the folders of `options` until stopped. `settle` is how long a file must stand still.
///
/// # Errors
/// Where the folders cannot be listed or the output cannot be written.
pub fn watch(
    options: &Options,
    settle: Duration,
    readers: ReaderSource<'_>,
    sinks: Sinks<'_>,
    progress: &Progress,
    mut environment: WatchEnvironment<'_>,
) -> Result<(), BatchError> {
    // From here on the lock marks the folder, and one without it is not the one that it was.
    match Lock::run(&options.out) {
        Err(BatchError::Busy(_)) => {}
        held => drop(held?),
    }
    let mut watch = Watch {
        options,
        readers,
        sinks,
        progress,
        debouncer: Debouncer::new(settle),
        named: HashSet::new(),
        digests: DigestCache::default(),
        pending: PendingWork { is_unsent: true, ..PendingWork::default() },
        trouble: None,
    };
    let (mut has_begun, mut told) = (false, None);
    while !environment.stop.load(Ordering::Relaxed) {
        match watch.round(&mut environment) {
            Ok(RoundOutcome::Read) => {}
            Ok(RoundOutcome::Quiet) => {
                let is_near = watch.debouncer.is_waiting((environment.now)());
                (environment.wait)(if is_near { settle.max(MIN_POLL_INTERVAL) } else { POLL_INTERVAL });
            }
            // A share that is away comes back, be it the pages' or the notices'. Each such trouble is told once.
            Err(error) if has_begun && error.is_passing() => {
                let trouble = Some(line(&error.to_string()));
                if told != trouble {
                    (environment.report)(&Report {
                        failed: trouble.clone().into_iter().collect(),
                        ..Report::default()
                    });
                }
                told = trouble;
                (environment.wait)(POLL_INTERVAL);
                continue;
            }
            Err(error) => return Err(error),
        }
        (has_begun, told) = (true, None);
    }
    Ok(())
}

/// A watch under way.
struct Watch<'w> {
    options: &'w Options,
    readers: ReaderSource<'w>,
    sinks: Sinks<'w>,
    progress: &'w Progress,
    debouncer: Debouncer,
    /// What lies there and is not read.
    named: HashSet<String>,
    /// What the files of equal size say.
    digests: DigestCache,
    pending: PendingWork,
    /// What was not well when something was sent or read last: that was told.
    trouble: Option<String>,
}

/// What a look at the folders came to.
enum RoundOutcome {
    /// Something was read; more may have come meanwhile.
    Read,
    /// There is nothing to do before something happens.
    Quiet,
}

impl Watch<'_> {
    /// Looks once at the folders, and reads or sends what there is.
    fn round(&mut self, environment: &mut WatchEnvironment<'_>) -> Result<RoundOutcome, BatchError> {
        let mut work = WorkList::so_far(self.options, &mut self.digests)?;
        let sources = work.tasks.iter().map(|task| &task.source);
        let ready = self.debouncer.observe((environment.now)(), sources.filter_map(stamped).collect());
        work.tasks.retain(|task| ready.contains(&task.source.path));
        // It is named once.
        let mut is_new = |name: String| self.named.insert(name);
        work.left_out.retain(|error| is_new(error.to_string()));
        work.duplicates.retain(|twin| is_new(format!("{} = {}", twin.file, twin.of)));
        work.passed_over.retain(|file| is_new(file.clone()));
        let done = self.work(work, environment);
        if !matches!(done, Ok(Some(_))) {
            self.debouncer.put_back(&ready);
            self.named.clear();
            self.pending.is_unsent = true;
        }
        Ok(done?.unwrap_or(RoundOutcome::Quiet))
    }

    /// Does what is to be done; `None` where somebody else is at work there: the next round will find it free.
    fn work(
        &mut self,
        work: WorkList,
        environment: &mut WatchEnvironment<'_>,
    ) -> Result<Option<RoundOutcome>, BatchError> {
        let (is_news, now) = (!work.is_empty(), (environment.now)());
        let is_due = self.pending.is_due(self.options, self.sinks, now)?;
        if !(is_news || is_due) {
            return Ok(Some(RoundOutcome::Quiet));
        }
        let _lock = match Lock::again(&self.options.out) {
            Err(BatchError::Busy(_)) => return Ok(None),
            lock => lock?,
        };
        // It sends again by itself.
        let control = RunControl { stop: environment.stop, is_patient: false };
        let Self { options, readers, sinks, progress, .. } = *self;
        let may_send = now >= self.pending.next;
        // By now a portal that was away may be back, and a token that was refused a good one.
        if let Some(sender) = sinks.sender.filter(|_| may_send) {
            sender.renew();
        }
        let report = if is_news {
            read(options, work, readers, sinks, progress, control)?
        } else {
            catch_up(&options.out, sinks, progress, control)?
        };
        let (now, is_unsent) = ((environment.now)(), is_unsent(&report, sinks));
        self.debouncer.try_again(&report.again, now);
        if may_send && (is_unsent || !is_news) {
            self.pending.note(is_unsent, sinks.sender, now);
        } else {
            // What was unsent before is not of this batch.
            self.pending.is_unsent = is_unsent || is_news && self.pending.is_unsent;
        }
        // While the portal is away, that is not told in every round.
        let trouble = report.trouble();
        let is_other_trouble = trouble.is_some() && trouble != self.trouble;
        self.trouble = trouble;
        let is_worth_telling =
            report.indexed.is_some() || report.published.as_ref().is_some_and(UploadCounts::is_any);
        if is_news || is_worth_telling || is_other_trouble {
            (environment.report)(&report);
        }
        Ok(Some(if is_news { RoundOutcome::Read } else { RoundOutcome::Quiet }))
    }
}

/// What portal and index have not got yet, though no page is new.
#[derive(Default)]
struct PendingWork {
    /// What people have decided, and when.
    decisions: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether something could not be sent; at first, what an earlier run left.
    is_unsent: bool,
    /// Rounds in a row that sent something in vain.
    in_vain: usize,
    /// When to try that again.
    next: Duration,
}

impl PendingWork {
    /// Whether something was decided since the last time, or could not be sent some time ago.
    fn is_due(&mut self, options: &Options, sinks: Sinks<'_>, now: Duration) -> Result<bool, BatchError> {
        if sinks.sender.is_none() && sinks.index.is_none() {
            return Ok(false);
        }
        let decisions = listing::named(&options.out, REVIEW)?;
        let decisions: Vec<_> = decisions.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
        let is_decided = decisions != self.decisions;
        self.decisions = decisions;
        self.is_unsent |= is_decided;
        Ok(is_decided || self.is_unsent && now >= self.next)
    }

    /// How a round of sending went.
    fn note(&mut self, is_unsent: bool, sender: Option<&Sender>, now: Duration) {
        self.is_unsent = is_unsent;
        self.in_vain = if is_unsent { self.in_vain + 1 } else { 0 };
        let pause = sender.map_or(POLL_INTERVAL, |sender| sender.pause(self.in_vain));
        self.next = now + if is_unsent { pause } else { Duration::ZERO };
    }
}

/// Whether portal or index lack something after this.
fn is_unsent(report: &Report, sinks: Sinks<'_>) -> bool {
    let is_unfilled = sinks.index.is_some() && report.indexed.is_none();
    is_unfilled || report.published.as_ref().is_some_and(|sent| sent.unsent > 0)
}

fn stamped(source: &PageSource) -> Option<(PathBuf, Stamp)> {
    Some((source.path.clone(), stamp(&source.path)?))
}

/// Which files stand still.
struct Debouncer {
    settle: Duration,
    seen: HashMap<PathBuf, SeenFile>,
}

struct SeenFile {
    stamp: Stamp,
    since: Duration,
    is_taken: bool,
    /// How often it could not be read for something that may pass.
    tries: u32,
    /// It is not tried before.
    not_before: Duration,
}

impl Debouncer {
    fn new(settle: Duration) -> Self {
        Self { settle, seen: HashMap::new() }
    }

    /// The files that have stood still long enough and were not taken so before.
    fn observe(&mut self, now: Duration, files: Vec<(PathBuf, Stamp)>) -> Vec<PathBuf> {
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

    /// Those were not read after all.
    fn put_back(&mut self, files: &[PathBuf]) {
        for path in files {
            if let Some(seen) = self.seen.get_mut(path) {
                seen.is_taken = false;
            }
        }
    }

    /// Those may be read some time later.
    fn try_again(&mut self, files: &[RetryCandidate], now: Duration) {
        // One file of several pages may be there several times.
        for path in files.iter().map(|file| &file.path).collect::<HashSet<_>>() {
            let Some(seen) = self.seen.get_mut(path) else { continue };
            let mut of_file = files.iter().filter(|file| file.path == *path);
            if of_file.all(|file| file.may_be_the_pages) && seen.tries >= MAX_TRIES {
                continue;
            }
            seen.is_taken = false;
            seen.not_before = now + POLL_INTERVAL * 2_u32.pow(seen.tries.min(MAX_BACKOFF_DOUBLINGS));
            seen.tries += 1;
        }
    }

    /// Whether some file may be taken soon.
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
    fn a_file_is_taken_once_it_stands_still_and_again_when_it_changed() {
        let at = Duration::from_secs;
        let mut debouncer = Debouncer::new(at(2));
        assert!(debouncer.observe(at(0), file(10)).is_empty());
        assert!(debouncer.observe(at(1), file(20)).is_empty(), "it grows");
        assert!(debouncer.observe(at(2), file(20)).is_empty(), "it has stood still for one second");
        assert!(debouncer.is_waiting(at(2)));
        assert_eq!(debouncer.observe(at(3), file(20)), [PathBuf::from("p1.jpg")]);
        assert!(!debouncer.is_waiting(at(3)));
        assert!(debouncer.observe(at(9), file(20)).is_empty(), "taken once");
        assert!(debouncer.observe(at(10), file(30)).is_empty());
        assert_eq!(debouncer.observe(at(12), file(30)).len(), 1, "it is another one now");
        assert!(debouncer.observe(at(13), Vec::new()).is_empty());
        assert!(debouncer.observe(at(14), file(30)).is_empty(), "gone and come again, it settles anew");
    }

    #[test]
    fn what_was_put_back_is_taken_again() {
        let at = Duration::from_secs;
        let mut debouncer = Debouncer::new(at(0));
        let ready = debouncer.observe(at(0), file(1));
        debouncer.put_back(&ready);
        assert_eq!(debouncer.observe(at(0), file(1)), ready);
    }

    #[test]
    fn what_could_not_be_read_for_something_that_may_pass_is_tried_again_ever_more_rarely() {
        let mut debouncer = Debouncer::new(Duration::ZERO);
        let (mut now, mut waits) = (Duration::ZERO, Vec::new());
        for _ in 0..9 {
            let begun = now;
            while debouncer.observe(now, file(1)).is_empty() {
                assert!(!debouncer.is_waiting(now));
                now += Duration::from_secs(1);
            }
            waits.push((now - begun).as_secs());
            let again = RetryCandidate { path: "p1.jpg".into(), may_be_the_pages: false };
            debouncer.try_again(&[again.clone(), RetryCandidate { may_be_the_pages: true, ..again }], now);
        }
        assert_eq!(waits, [0, 30, 60, 120, 240, 480, 960, 1920, 1920]);
    }

    #[test]
    fn a_page_that_no_reader_can_read_is_left_alone_in_the_end() {
        let mut debouncer = Debouncer::new(Duration::ZERO);
        let hour = Duration::from_secs(3600);
        let tries = (0..100).filter(|&nth| {
            let is_taken = !debouncer.observe(hour * nth, file(1)).is_empty();
            debouncer
                .try_again(&[RetryCandidate { path: "p1.jpg".into(), may_be_the_pages: true }], hour * nth);
            is_taken
        });
        assert_eq!(tries.count(), 1 + MAX_TRIES as usize);
        assert_eq!(debouncer.observe(hour * 100, file(2)).len(), 1, "it is another one now");
    }
}
