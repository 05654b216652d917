//! The times at which daily alerts are due. An alert has a time of day in Colombo.

use super::ledger::Micros;

const MINUTE: Micros = 60 * 1_000_000;
const DAY: Micros = 24 * 60 * MINUTE;
/// How far the clocks in Colombo are ahead of UTC.
const COLOMBO: Micros = 330 * MINUTE;
/// The least time until a daily alert is due. The server may be dead for some of it.
const LEAD: Micros = 30 * 1_000_000;

/// Returns the first whole minute that leaves time to store an alert.
pub(super) const fn next_minute(now: Micros) -> Micros {
    (now + LEAD + MINUTE - 1) / MINUTE * MINUTE
}

/// Returns the time of day at a moment, such as `09:30`.
pub(super) fn time_of_day(at: Micros) -> String {
    let minutes = (at + COLOMBO).rem_euclid(DAY) / MINUTE;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the first moment after `after` with this time of day.
pub(super) fn next_due(time: &str, after: Micros) -> Option<Micros> {
    let (hour, minute) = time.split_once(':')?;
    let minutes = hour.parse::<Micros>().ok()? * 60 + minute.parse::<Micros>().ok()?;
    let wait = (minutes * MINUTE - COLOMBO - after).rem_euclid(DAY);
    Some(after + if wait == 0 { DAY } else { wait })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Micros {
        text.parse::<jiff::Timestamp>().unwrap().as_microsecond()
    }

    #[test]
    fn daily_alert_is_due_at_the_next_time_of_day_in_colombo() {
        let due = at("2026-11-27T23:59:00+05:30");
        assert_eq!(time_of_day(due), "23:59");
        for (after, expected) in [
            ("2026-11-27T23:58:59.999999+05:30", "2026-11-27T23:59:00+05:30"),
            ("2026-11-27T23:59:00+05:30", "2026-11-28T23:59:00+05:30"),
            ("2026-11-27T00:00:00+05:30", "2026-11-27T23:59:00+05:30"),
        ] {
            assert_eq!(next_due("23:59", at(after)), Some(at(expected)), "{after}");
        }
        assert_eq!(next_due("nine", due), None);
    }

    #[test]
    fn chosen_minute_is_at_least_half_a_minute_away() {
        assert_eq!(next_minute(at("2026-11-27T10:00:30Z")), at("2026-11-27T10:01:00Z"));
        assert_eq!(next_minute(at("2026-11-27T10:00:30.000001Z")), at("2026-11-27T10:02:00Z"));
    }
}
