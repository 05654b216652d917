//! How many messages a domain's servers get in a time. They put off, and in the end refuse, a sender that sends faster than they are
//! used to; so each domain has an allowance that grows with time up to a burst, in the database, for all processes together.

use jiff::{SignedDuration, Timestamp};

/// A pace for each domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The time in which the allowance grows by one message.
    interval: SignedDuration,
    /// The most that it grows to.
    burst: i32,
}

/// What a domain gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// How many messages.
    pub count: i64,
    /// The moment to count its allowance from afterwards.
    pub used_up_at: Timestamp,
}

impl Pace {
    /// So many messages a minute, a sixth of that at once. `None`: as fast as they come.
    #[must_use]
    pub fn a_minute(messages: u32) -> Option<Self> {
        let messages = i32::try_from(messages).ok().filter(|messages| *messages > 0)?;
        Some(Self { interval: SignedDuration::from_secs(60) / messages, burst: (messages / 6).max(1) })
    }

    /// The moment since which a domain must have been left alone to be allowed a burst.
    #[must_use]
    pub fn full_since(self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.interval * self.burst).unwrap_or(Timestamp::MIN)
    }

    /// The moment since which it must have been left alone to be allowed one message.
    #[must_use]
    pub fn one_since(self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.interval).unwrap_or(Timestamp::MIN)
    }

    /// Divides `limit` among domains, given when the allowance of each was used up: one message each in turn, so that a small
    /// domain is never kept waiting by a large one.
    #[must_use]
    pub fn divide(
        self,
        used_up: Vec<(String, Timestamp)>,
        now: Timestamp,
        limit: usize,
    ) -> Vec<(String, Allotment)> {
        let mut left = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut domains: Vec<(String, i64, Allotment)> = used_up
            .into_iter()
            .map(|(domain, at)| {
                // One in the future was written before the clock was set back.
                let from = if at > now { self.full_since(now) } else { at.max(self.full_since(now)) };
                let grown = now.duration_since(from).as_nanos() / self.interval.as_nanos().max(1);
                (domain, i64::try_from(grown).unwrap_or(0).max(0), Allotment { count: 0, used_up_at: from })
            })
            .collect();
        while left > 0 {
            let before = left;
            for (_, allowed, allotment) in &mut domains {
                if left > 0 && allotment.count < *allowed {
                    allotment.count += 1;
                    left -= 1;
                }
            }
            if left == before {
                break;
            }
        }
        let allotted = domains.into_iter().filter(|(_, _, allotment)| allotment.count > 0);
        allotted
            .map(|(domain, _, Allotment { count, used_up_at })| {
                let used = self.interval * i32::try_from(count).unwrap_or(i32::MAX);
                let used_up_at = used_up_at.saturating_add(used).unwrap_or(Timestamp::MAX);
                (domain, Allotment { count, used_up_at })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn ago(seconds: i64) -> Timestamp {
        NOW - SignedDuration::from_secs(seconds)
    }

    fn divided(pace: Pace, used_up: &[(&str, Timestamp)], limit: usize) -> Vec<(String, i64, i64)> {
        let used_up = used_up.iter().map(|(domain, at)| ((*domain).to_owned(), *at)).collect();
        let allotted = pace.divide(used_up, NOW, limit).into_iter();
        allotted.map(|(domain, a)| (domain, a.count, a.used_up_at.as_second())).collect()
    }

    fn row(domain: &str, count: i64, used_up_at: i64) -> (String, i64, i64) {
        (domain.to_owned(), count, used_up_at)
    }

    #[test]
    fn an_allowance_grows_with_time_up_to_a_burst() {
        // One a second, ten at once.
        let pace = Pace::a_minute(60).unwrap();
        assert_eq!(divided(pace, &[("a", ago(0))], 100), []);
        assert_eq!(divided(pace, &[("a", ago(3))], 100), [row("a", 3, 0)]);
        assert_eq!(divided(pace, &[("a", ago(3))], 2), [row("a", 2, -1)]);
        assert_eq!(divided(pace, &[("a", ago(86_400))], 100), [row("a", 10, 0)]);
        // The clock was set back: nobody waits until it is where it was.
        assert_eq!(divided(pace, &[("a", ago(-60))], 100), [row("a", 10, 0)]);
        assert_eq!(pace.full_since(NOW), ago(10));
    }

    #[test]
    fn a_small_domain_does_not_wait_for_a_large_one() {
        let pace = Pace::a_minute(60).unwrap();
        let both = [("large", ago(10)), ("small", ago(1))];
        assert_eq!(divided(pace, &both, 4), [row("large", 3, -7), row("small", 1, 0)]);
    }

    #[test]
    fn over_an_hour_it_is_the_pace_whatever_the_steps() {
        let pace = Pace::a_minute(90).unwrap();
        for step in [1, 7, 400, 999] {
            let (mut at, mut count) = (pace.full_since(NOW), 0);
            let mut now = NOW;
            while now < NOW + SignedDuration::from_hours(1) {
                for (_, allotment) in pace.divide(vec![("a".to_owned(), at)], now, 1000) {
                    (at, count) = (allotment.used_up_at, count + allotment.count);
                }
                now += SignedDuration::from_millis(step);
            }
            assert!((5400..=5416).contains(&count), "{count} at steps of {step} ms");
        }
    }

    #[test]
    fn none_is_no_pace() {
        assert_eq!(Pace::a_minute(0), None);
    }
}
