//! The days and times of reminders and of daily, weekly and monthly jobs, in Colombo time.

use jiff::{Timestamp, civil};
use tender_model::vocabulary::{Moment, colombo};

/// The time of day at which weekly digests, summaries and reminders are due.
pub const MORNING: civil::Time = civil::time(9, 0, 0, 0);

/// How many days before the closing a reminder is sent, earliest reminder first.
pub const REMINDER_DAYS: [i8; 2] = [3, 1];

/// How many days before something of a company expires a mail is sent, the earliest first.
pub const EXPIRY_DAYS: [i8; 3] = [60, 30, 7];

/// Returns the last day whose [`MORNING`] has passed.
#[must_use]
pub fn last_morning(now: Moment) -> civil::Date {
    let day = now.day();
    if now.civil().time() >= MORNING { day } else { day.yesterday().unwrap_or(day) }
}

/// The time of day at which monthly reports are due, on the first day of the following month.
pub const REPORT_TIME: civil::Time = civil::time(8, 0, 0, 0);

/// Returns the first day of the last month whose reports are due, and when they became due.
#[must_use]
pub fn last_due_report_month(now: Moment) -> (civil::Date, Timestamp) {
    let before = |day: civil::Date| day.yesterday().unwrap_or(day).first_of_month();
    let due_on = |day: civil::Date| colombo().to_timestamp(day.to_datetime(REPORT_TIME)).ok();
    let this_month = now.day().first_of_month();
    let first = match due_on(this_month) {
        Some(due) if due <= now.timestamp() => this_month,
        _ => before(this_month),
    };
    (before(first), due_on(first).unwrap_or_else(|| now.timestamp()))
}

/// Returns the Monday of a day's week.
#[must_use]
pub fn monday_of(day: civil::Date) -> civil::Date {
    let since = i64::from(day.weekday().to_monday_zero_offset());
    day.checked_sub(jiff::Span::new().days(since)).unwrap_or(day)
}

/// Returns the days that a daily job must process: all days after `last` up to today, at most a
/// year. If the job never ran or the clock was set back, only today is returned. It does no
/// harm to process a day twice, because a job stores each result once.
#[must_use]
pub fn missed_days(last: Option<civil::Date>, today: civil::Date) -> Vec<civil::Date> {
    let year_ago = today.checked_sub(jiff::Span::new().days(365)).unwrap_or(today);
    let first = match last {
        Some(last) if last <= today => last.max(year_ago).tomorrow().ok(),
        _ => Some(today),
    };
    let Some(first) = first else { return Vec::new() };
    first.series(jiff::Span::new().days(1)).take_while(|day| *day <= today).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_missed_day_is_returned_once() {
        let day = |day| civil::date(2026, 11, day);
        assert_eq!(missed_days(None, day(20)), [day(20)]);
        assert_eq!(missed_days(Some(day(17)), day(20)), [day(18), day(19), day(20)]);
        assert_eq!(missed_days(Some(day(20)), day(20)), []);
        assert_eq!(missed_days(Some(day(25)), day(20)), [day(20)], "the clock was set back");
        assert_eq!(missed_days(Some(civil::date(1990, 1, 1)), day(20)).len(), 365);
        assert_eq!(missed_days(Some(civil::Date::MAX), day(20)), [day(20)]);
    }

    #[test]
    fn the_last_morning_is_in_colombo_time_and_weeks_begin_on_monday() {
        let morning = |now: &str| last_morning(now.parse().unwrap());
        assert_eq!(morning("2026-11-20T08:59:59+05:30"), civil::date(2026, 11, 19));
        assert_eq!(morning("2026-11-20T03:30:00Z"), civil::date(2026, 11, 20));
        assert_eq!(monday_of(civil::date(2026, 11, 22)), civil::date(2026, 11, 16));
        assert_eq!(monday_of(civil::date(2026, 11, 23)), civil::date(2026, 11, 23));
    }

    #[test]
    fn reports_of_a_month_are_due_on_the_first_of_the_next() {
        let last = |now: &str| last_due_report_month(now.parse().unwrap());
        let november = (civil::date(2026, 11, 1), at("2026-12-01T08:00:00+05:30"));
        let october = (civil::date(2026, 10, 1), at("2026-11-01T08:00:00+05:30"));
        assert_eq!(last("2026-12-01T07:59:59+05:30"), october);
        assert_eq!(last("2026-12-01T02:30:00Z"), november);
        assert_eq!(last("2026-12-31T23:59:59+05:30"), november);
        assert_eq!(last("2027-01-01T07:00:00+05:30"), november);
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }
}
