//! The canary: a tender and an alert of the portal's own that go the whole way from publication to
//! mail again and again. If they are late, readers probably miss their alerts too.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// A step of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum CanaryStep {
    /// The tender is published.
    Publication,
    /// The tender is in the search index.
    Index,
    /// The alert has matched the tender.
    Match,
    /// The mail server has accepted the mail.
    Mail,
    /// The mail has come back to the portal.
    Arrival,
}

/// One run of the canary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanaryRun {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The alert. `None`: it is deleted.
    pub alert_id: Option<Uuid>,
    /// Whether the mail must come back to the portal.
    pub expects_arrival: bool,
    /// When the tender was published.
    pub started_at: Timestamp,
    /// When the tender was found in the index.
    pub indexed_at: Option<Timestamp>,
    /// When the alert matched the tender.
    pub matched_at: Option<Timestamp>,
    /// When the mail server accepted the mail.
    pub sent_at: Option<Timestamp>,
    /// When the mail came back.
    pub arrived_at: Option<Timestamp>,
}

impl CanaryRun {
    /// The first step that was not passed yet. `None`: the run has passed all steps.
    #[must_use]
    pub fn next_step(&self) -> Option<CanaryStep> {
        let arrival = if self.expects_arrival { self.arrived_at } else { self.sent_at };
        let steps = [
            (CanaryStep::Index, self.indexed_at),
            (CanaryStep::Match, self.matched_at),
            (CanaryStep::Mail, self.sent_at),
            (CanaryStep::Arrival, arrival),
        ];
        steps.into_iter().find_map(|(step, passed)| passed.is_none().then_some(step))
    }

    /// When the last step was passed. `None`: a step was not passed yet.
    #[must_use]
    pub fn finished_at(&self) -> Option<Timestamp> {
        if self.next_step().is_some() {
            return None;
        }
        [self.indexed_at, self.matched_at, self.sent_at, self.arrived_at].into_iter().flatten().max()
    }

    /// The word that is in the tender and in the alert of this run, and in no other tender.
    #[must_use]
    pub fn marker(id: Uuid) -> String {
        let (_, random) = id.as_u64_pair();
        format!("canary{random:016x}")
    }
}

/// How often the canary runs, and how long a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CanarySchedule {
    /// The time between the beginnings of two runs.
    pub interval: SignedDuration,
    /// The time after which a run is late.
    pub limit: SignedDuration,
}

/// Whether the whole way works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanaryState {
    /// The first run has begun and is not late.
    Starting,
    /// The last run that had enough time has passed all steps.
    Works,
    /// A run is late, or none has begun.
    Late {
        /// The step that was not passed.
        step: CanaryStep,
        /// When the late run began, or should have begun.
        since: Timestamp,
    },
}

impl CanarySchedule {
    /// Whether another run should begin. `last` is the latest run.
    #[must_use]
    pub fn is_due(&self, last: Option<&CanaryRun>, now: Timestamp) -> bool {
        last.is_none_or(|last| {
            let age = now.duration_since(last.started_at);
            // After the clock was set back, the last run is in the future.
            age >= self.interval || age < SignedDuration::ZERO
        })
    }

    /// The state at `now`. `runs` are the latest runs, newest first.
    #[must_use]
    pub fn state(&self, runs: &[CanaryRun], now: Timestamp) -> CanaryState {
        let Some(last) = runs.first() else {
            return CanaryState::Late { step: CanaryStep::Publication, since: now };
        };
        let age = now.duration_since(last.started_at);
        if age > self.interval.saturating_add(self.limit) {
            let since = last.started_at.saturating_add(self.interval).unwrap_or(now);
            return CanaryState::Late { step: CanaryStep::Publication, since };
        }
        let late =
            |run: &CanaryRun| run.next_step().map(|step| CanaryState::Late { step, since: run.started_at });
        match late(last) {
            None => CanaryState::Works,
            Some(late) if age > self.limit => late,
            // The last run still has time, so the one before it tells.
            Some(_) => match runs.get(1) {
                Some(before) => late(before).unwrap_or(CanaryState::Works),
                None => CanaryState::Starting,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const HOUR: i64 = 3600;
    const SCHEDULE: CanarySchedule =
        CanarySchedule { interval: SignedDuration::from_hours(1), limit: SignedDuration::from_mins(15) };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// A run that began at a second and passed some steps a second after each other.
    fn run(started: i64, steps: i64) -> CanaryRun {
        let passed = |step: i64| (steps >= step).then(|| at(started + step));
        CanaryRun {
            id: Uuid::nil(),
            alert_id: None,
            expects_arrival: true,
            started_at: at(started),
            indexed_at: passed(1),
            matched_at: passed(2),
            sent_at: passed(3),
            arrived_at: passed(4),
        }
    }

    const fn late(step: CanaryStep, since: i64) -> CanaryState {
        CanaryState::Late { step, since: Timestamp::constant(since, 0) }
    }

    #[rstest]
    #[case::no_run(&[], 5, late(CanaryStep::Publication, 5))]
    #[case::first_run_has_time(&[(0, 1)], 900, CanaryState::Starting)]
    #[case::first_run_is_late(&[(0, 1)], 901, late(CanaryStep::Match, 0))]
    #[case::passed(&[(0, 4)], 10, CanaryState::Works)]
    #[case::not_sent(&[(0, 2)], 901, late(CanaryStep::Mail, 0))]
    #[case::not_back(&[(0, 3)], 901, late(CanaryStep::Arrival, 0))]
    #[case::next_run_has_time(&[(HOUR, 0), (0, 4)], HOUR + 900, CanaryState::Works)]
    #[case::next_run_is_late(&[(HOUR, 0), (0, 4)], HOUR + 901, late(CanaryStep::Index, HOUR))]
    #[case::still_late_during_the_next_run(&[(HOUR, 2), (0, 2)], HOUR + 5, late(CanaryStep::Mail, 0))]
    #[case::works_again(&[(HOUR, 4), (0, 2)], HOUR + 5, CanaryState::Works)]
    #[case::next_run_does_not_begin(&[(0, 4)], HOUR + 900, CanaryState::Works)]
    #[case::no_next_run(&[(0, 4)], HOUR + 901, late(CanaryStep::Publication, HOUR))]
    fn last_run_with_enough_time_decides(
        #[case] runs: &[(i64, i64)],
        #[case] now: i64,
        #[case] state: CanaryState,
    ) {
        let runs: Vec<CanaryRun> = runs.iter().map(|(started, steps)| run(*started, *steps)).collect();
        assert_eq!(SCHEDULE.state(&runs, at(now)), state);
    }

    #[test]
    fn run_is_due_after_the_interval_or_when_the_clock_was_set_back() {
        assert!(SCHEDULE.is_due(None, at(0)));
        assert!(!SCHEDULE.is_due(Some(&run(0, 4)), at(HOUR - 1)));
        assert!(SCHEDULE.is_due(Some(&run(0, 4)), at(HOUR)));
        assert!(SCHEDULE.is_due(Some(&run(HOUR, 4)), at(0)));
    }

    #[test]
    fn without_arrival_the_accepted_mail_is_the_last_step() {
        let sent = CanaryRun { expects_arrival: false, ..run(0, 3) };
        assert_eq!((sent.next_step(), sent.finished_at()), (None, Some(at(3))));
        assert_eq!(run(0, 3).finished_at(), None);
        assert_eq!(run(0, 4).finished_at(), Some(at(4)));
    }
}
