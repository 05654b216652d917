//! A drop folder: pages are read as they come, and what people decide meanwhile, or what a portal that was away could not be told, is
//! sent after. A file counts as whole once its size and time of change have stood still for
//! a while; whoever copies slower than that writes under another name (`.part`, `.tmp`, a dot first) and renames.

use super::{
    BatchError, Options, Outlets, PageSource, Progress, ReaderSource, Report, Sent,
    lock::Lock,
    publish::catch_up,
    run::{Work, read},
    store::{self, REVIEW},
};
use crate::message::line;
use std::{
    collections::{HashMap, HashSet},
    fs, mem,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

/// With nothing in hand, the folder is looked at this often, even where the system says that nothing happened: it does not
/// hear of what other machines write.
const ROUND: Duration = Duration::from_secs(30);

/// A watch's surroundings: time, and who is told.
pub struct Surroundings<'w> {
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
    outlets: Outlets<'_>,
    progress: &Progress,
    around: Surroundings<'_>,
) -> Result<(), BatchError> {
    let mut settling = Settling::new(settle);
    let (mut named, mut debts) = (HashSet::new(), Debts { decisions: Vec::new(), is_unsent: true });
    let (mut has_begun, mut is_away) = (false, false);
    while !around.stop.load(Ordering::Relaxed) {
        if let Some(sender) = outlets.sender {
            sender.renew();
        }
        let mut work = match Work::so_far(options) {
            // A share that is away comes back.
            Err(error) if has_begun => {
                if !mem::replace(&mut is_away, true) {
                    (around.report)(&Report { failed: vec![line(&error.to_string())], ..Report::default() });
                }
                (around.wait)(ROUND);
                continue;
            }
            work => work?,
        };
        (has_begun, is_away) = (true, false);
        let sources = work.tasks.iter().map(|task| &task.source);
        let ready = settling.observe((around.now)(), sources.filter_map(stamped).collect());
        work.tasks.retain(|task| ready.contains(&task.source.path));
        // What lies there and is not read is named once.
        work.left_out.retain(|error| named.insert(error.to_string()));
        work.duplicates.retain(|twin| named.insert(format!("{} = {}", twin.file, twin.of)));
        work.passed_over.retain(|file| named.insert(file.clone()));
        let is_news = !work.is_empty();
        if is_news || debts.are_due(options, outlets)? {
            match Lock::run(&options.out) {
                Ok(_lock) if is_news => {
                    let report = read(options, work, readers, outlets, progress, around.stop)?;
                    debts.is_unsent |= is_unsent(&report);
                    (around.report)(&report);
                    continue;
                }
                Ok(_lock) => {
                    let report = catch_up(&options.out, outlets, progress)?;
                    debts.is_unsent = is_unsent(&report);
                    // While the portal is away, that is not told in every round.
                    if report.indexed.is_some() || report.published.as_ref().is_some_and(Sent::is_any) {
                        (around.report)(&report);
                    }
                }
                // Somebody reviews, publishes or reads there: the next round will find it free.
                Err(BatchError::Busy(_)) => {
                    settling.put_back(&ready);
                    named.clear();
                    debts.is_unsent = true;
                }
                Err(error) => return Err(error),
            }
        }
        (around.wait)(if settling.is_waiting() { settle } else { ROUND });
    }
    Ok(())
}

/// What portal and index have not got yet, though no page is new.
struct Debts {
    /// What people have decided, and when.
    decisions: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether something could not be sent; at first, what an earlier run left.
    is_unsent: bool,
}

impl Debts {
    /// Whether something was decided since the last time, or could not be sent then.
    fn are_due(&mut self, options: &Options, outlets: Outlets<'_>) -> Result<bool, BatchError> {
        if outlets.sender.is_none() && outlets.index.is_none() {
            return Ok(false);
        }
        let decisions = store::named(&options.out, REVIEW)?;
        let decisions: Vec<_> = decisions.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
        let is_decided = decisions != self.decisions;
        self.decisions = decisions;
        self.is_unsent |= is_decided;
        Ok(self.is_unsent)
    }
}

fn is_unsent(report: &Report) -> bool {
    report.published.as_ref().is_some_and(|sent| sent.unsent > 0)
}

/// What tells that a file has changed.
type Stamp = (u64, Option<SystemTime>);

fn stamped(source: &PageSource) -> Option<(PathBuf, Stamp)> {
    Some((source.path.clone(), stamp(&source.path)?))
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()))
}

/// Which files stand still.
struct Settling {
    settle: Duration,
    seen: HashMap<PathBuf, Seen>,
}

struct Seen {
    stamp: Stamp,
    since: Duration,
    is_taken: bool,
}

impl Settling {
    fn new(settle: Duration) -> Self {
        Self { settle, seen: HashMap::new() }
    }

    /// The files that have stood still long enough and were not taken so before.
    fn observe(&mut self, now: Duration, files: Vec<(PathBuf, Stamp)>) -> Vec<PathBuf> {
        let mut before = mem::take(&mut self.seen);
        let mut ready = Vec::new();
        for (path, stamp) in files {
            let known = before.remove(&path).filter(|seen| seen.stamp == stamp);
            let mut seen = known.unwrap_or(Seen { stamp, since: now, is_taken: false });
            if !seen.is_taken && now.saturating_sub(seen.since) >= self.settle {
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

    /// Whether some file is not taken yet.
    fn is_waiting(&self) -> bool {
        self.seen.values().any(|seen| !seen.is_taken)
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
        let mut settling = Settling::new(at(2));
        assert!(settling.observe(at(0), file(10)).is_empty());
        assert!(settling.observe(at(1), file(20)).is_empty(), "it grows");
        assert!(settling.observe(at(2), file(20)).is_empty(), "it has stood still for one second");
        assert!(settling.is_waiting());
        assert_eq!(settling.observe(at(3), file(20)), [PathBuf::from("p1.jpg")]);
        assert!(!settling.is_waiting());
        assert!(settling.observe(at(9), file(20)).is_empty(), "taken once");
        assert!(settling.observe(at(10), file(30)).is_empty());
        assert_eq!(settling.observe(at(12), file(30)).len(), 1, "it is another one now");
        assert!(settling.observe(at(13), Vec::new()).is_empty());
        assert!(settling.observe(at(14), file(30)).is_empty(), "gone and come again, it settles anew");
    }

    #[test]
    fn what_was_put_back_is_taken_again() {
        let at = Duration::from_secs;
        let mut settling = Settling::new(at(0));
        let ready = settling.observe(at(0), file(1));
        settling.put_back(&ready);
        assert_eq!(settling.observe(at(0), file(1)), ready);
    }
}
