//! [`SilenceDetector`]: notices that the heartbeats of a process have stopped.

use crate::domain::heartbeats::Heartbeats;
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// After this time without a heartbeat, a process is dead, even if its session still exists.
const MAX_SILENCE: Duration = Duration::from_secs(5);

/// Remembers since when each process has had the same number of heartbeats.
#[derive(Debug, Default)]
pub(super) struct SilenceDetector {
    seen: HashMap<Uuid, (i64, Instant)>,
}

impl SilenceDetector {
    /// The processes that have been silent for too long. `current` are the heartbeats of all processes at
    /// `now`.
    pub(super) fn detect(&mut self, current: &[Heartbeats], now: Instant) -> Vec<Heartbeats> {
        self.seen.retain(|process, _| current.iter().any(|heartbeats| heartbeats.process == *process));
        let mut silent = Vec::new();
        for heartbeats in current {
            let (count, since) = self.seen.entry(heartbeats.process).or_insert((heartbeats.count, now));
            if *count != heartbeats.count {
                (*count, *since) = (heartbeats.count, now);
            } else if now.duration_since(*since) >= MAX_SILENCE {
                silent.push(*heartbeats);
            }
        }
        silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_is_silent_after_five_seconds_without_a_heartbeat() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let start = Instant::now();
        let mut detector = SilenceDetector::default();
        let mut silent_at = |seconds: u64, counts: [i64; 2]| {
            let current = [(one, counts[0]), (other, counts[1])];
            let current = current.map(|(process, count)| Heartbeats { process, count });
            let silent = detector.detect(&current, start + Duration::from_secs(seconds));
            silent.into_iter().map(|heartbeats| heartbeats.process).collect::<Vec<_>>()
        };
        assert!(silent_at(0, [7, 7]).is_empty());
        assert!(silent_at(4, [7, 8]).is_empty());
        assert_eq!(silent_at(5, [7, 8]), [one]);
        assert!(silent_at(6, [8, 8]).is_empty());
        assert_eq!(silent_at(9, [9, 8]), [other]);
    }

    #[test]
    fn observer_that_was_paused_itself_first_looks_for_new_heartbeats() {
        let start = Instant::now();
        let mut detector = SilenceDetector::default();
        let at = |count| [Heartbeats { process: Uuid::from_u128(1), count }];
        assert!(detector.detect(&at(1), start).is_empty());
        assert!(detector.detect(&at(90), start + Duration::from_secs(100)).is_empty());
    }
}
