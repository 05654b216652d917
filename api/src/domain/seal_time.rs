//! Computes when messages are sealed. An immediate message is sealed once no item has arrived for a
//! while. A daily one is sealed at its time of day and a weekly one on Monday at 09:00, both in
//! Colombo time.

use crate::domain::{frequency::Frequency, schedule::MORNING};
use jiff::{SignedDuration, Timestamp, civil};
use tender_model::vocabulary::{Moment, colombo};

/// Returns when a message that gets an item at `now` is sealed. An immediate message is sealed
/// after `quiet`, others at the next due time after `now`. The maximum wait of immediate messages
/// is applied in SQL, because the database stores when they were opened.
#[must_use]
pub fn seal_at(
    frequency: Frequency,
    now: Timestamp,
    daily_at: civil::Time,
    quiet: SignedDuration,
) -> Timestamp {
    match frequency {
        Frequency::Immediate => now.saturating_add(quiet).unwrap_or(now),
        Frequency::Daily => next_occurrence(now, daily_at, |_| true),
        Frequency::Weekly => next_occurrence(now, MORNING, |day| day.weekday() == civil::Weekday::Monday),
    }
}

/// Returns the next occurrence of `time` in Colombo after `now`, on a day that `fits` accepts.
fn next_occurrence(now: Timestamp, time: civil::Time, fits: impl Fn(civil::Date) -> bool) -> Timestamp {
    let today = Moment::new(now).day();
    today
        .series(jiff::Span::new().days(1))
        .take(9)
        .filter(|day| fits(*day))
        .filter_map(|day| colombo().to_timestamp(day.to_datetime(time)).ok())
        .find(|at| *at > now)
        .unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    const QUIET: SignedDuration = SignedDuration::from_secs(10);

    #[test]
    fn daily_mail_is_sealed_at_its_time_of_day_in_colombo() {
        let half_past_eight = civil::time(8, 30, 0, 0);
        let due = |now| seal_at(Frequency::Daily, at(now), half_past_eight, QUIET);
        assert_eq!(due("2026-11-20T08:29:59+05:30"), at("2026-11-20T08:30:00+05:30"));
        assert_eq!(due("2026-11-20T08:30:00+05:30"), at("2026-11-21T08:30:00+05:30"));
        assert_eq!(due("2026-11-20T20:00:00Z"), at("2026-11-21T08:30:00+05:30"));
    }

    #[test]
    fn weekly_mail_is_sealed_on_monday_at_nine() {
        let due = |now| seal_at(Frequency::Weekly, at(now), MORNING, QUIET);
        assert_eq!(due("2026-11-20T12:00:00+05:30"), at("2026-11-23T09:00:00+05:30"));
        assert_eq!(due("2026-11-23T08:59:59+05:30"), at("2026-11-23T09:00:00+05:30"));
        assert_eq!(due("2026-11-23T09:00:00+05:30"), at("2026-11-30T09:00:00+05:30"));
    }

    #[test]
    fn immediate_mail_is_sealed_after_the_quiet_time() {
        let now = at("2026-11-20T12:00:00+05:30");
        assert_eq!(seal_at(Frequency::Immediate, now, MORNING, QUIET), at("2026-11-20T12:00:10+05:30"));
    }
}
