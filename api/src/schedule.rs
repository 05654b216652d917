//! When a collected message leaves: the rules "Sending" of the decisions as pure arithmetic in Asia/Colombo.

use index::vocabulary::{Moment, colombo};
use jiff::{SignedDuration, Timestamp, civil};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How often an alert sends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// As soon as its matches are collected.
    #[default]
    Immediate,
    /// Once a day at the alert's own time.
    Daily,
    /// On Monday at 09:00.
    Weekly,
}

impl Frequency {
    /// As stored and as written in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
        }
    }

    /// From its stored word. `None` for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Immediate, Self::Daily, Self::Weekly].into_iter().find(|frequency| frequency.as_str() == word)
    }
}

/// When the weekly digest leaves.
pub const WEEKLY_AT: civil::Time = civil::time(9, 0, 0, 0);

/// When a message that gets an item at `now` is to be sealed: after `quiet` for an immediate one (the collecting limit
/// is the database's to keep, it knows when collecting began), else at the next due moment, never `now` itself.
#[must_use]
pub fn seal_at(
    frequency: Frequency,
    now: Timestamp,
    daily_at: civil::Time,
    quiet: SignedDuration,
) -> Timestamp {
    match frequency {
        Frequency::Immediate => now.saturating_add(quiet).unwrap_or(now),
        Frequency::Daily => next(now, daily_at, |_| true),
        Frequency::Weekly => next(now, WEEKLY_AT, |day| day.weekday() == civil::Weekday::Monday),
    }
}

/// The first moment after `now` that is `time` in Colombo on a day that fits.
fn next(now: Timestamp, time: civil::Time, fits: impl Fn(civil::Date) -> bool) -> Timestamp {
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
    fn a_daily_mail_leaves_at_the_next_time_of_day_in_colombo() {
        let half_past_eight = civil::time(8, 30, 0, 0);
        let due = |now| seal_at(Frequency::Daily, at(now), half_past_eight, QUIET);
        assert_eq!(due("2026-11-20T08:29:59+05:30"), at("2026-11-20T08:30:00+05:30"));
        assert_eq!(due("2026-11-20T08:30:00+05:30"), at("2026-11-21T08:30:00+05:30"));
        assert_eq!(due("2026-11-20T20:00:00Z"), at("2026-11-21T08:30:00+05:30"));
    }

    #[test]
    fn a_weekly_mail_leaves_on_monday_at_nine() {
        let due = |now| seal_at(Frequency::Weekly, at(now), WEEKLY_AT, QUIET);
        assert_eq!(due("2026-11-20T12:00:00+05:30"), at("2026-11-23T09:00:00+05:30"));
        assert_eq!(due("2026-11-23T08:59:59+05:30"), at("2026-11-23T09:00:00+05:30"));
        assert_eq!(due("2026-11-23T09:00:00+05:30"), at("2026-11-30T09:00:00+05:30"));
    }

    #[test]
    fn an_immediate_mail_waits_for_quiet() {
        let now = at("2026-11-20T12:00:00+05:30");
        assert_eq!(seal_at(Frequency::Immediate, now, WEEKLY_AT, QUIET), at("2026-11-20T12:00:10+05:30"));
    }
}
