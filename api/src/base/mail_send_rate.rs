//! Throttles mail to each domain, because mail servers defer or reject mail from senders that
//! exceed their usual rate. Each domain has an allowance of messages that grows with time up to a
//! burst. The database stores the allowances, and all processes share them.

use jiff::{SignedDuration, Timestamp};

/// The send rate of each domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendRate {
    /// The time in which a domain's allowance grows by one message.
    interval: SignedDuration,
    /// The maximum allowance of a domain.
    burst: i32,
}

/// How many messages may be sent to a domain now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainAllowance {
    /// The number of messages that may be sent.
    pub count: i64,
    /// When the allowance counts as used up after these messages. It grows again from this time.
    pub used_up_at: Timestamp,
}

impl SendRate {
    /// Allows this many messages per minute, and a sixth of them, but at least one, at once.
    /// `None` for zero: unlimited.
    #[must_use]
    pub fn per_minute(messages: u32) -> Option<Self> {
        let messages = i32::try_from(messages).ok().filter(|messages| *messages > 0)?;
        Some(Self { interval: SignedDuration::from_secs(60) / messages, burst: (messages / 6).max(1) })
    }

    /// Returns a time. An allowance that was used up at or before this time is full at `now`.
    #[must_use]
    pub fn full_if_used_up_by(self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.interval * self.burst).unwrap_or(Timestamp::MIN)
    }

    /// Returns a time. An allowance that was used up at or before this time permits at least one
    /// message at `now`.
    #[must_use]
    pub fn one_if_used_up_by(self, now: Timestamp) -> Timestamp {
        now.saturating_sub(self.interval).unwrap_or(Timestamp::MIN)
    }

    /// Distributes up to `limit` messages round-robin over the domains, so that a domain with a
    /// small allowance never waits for a domain with a large one. `used_up` has the time at which
    /// each domain's allowance was used up.
    #[must_use]
    pub fn distribute(
        self,
        used_up: Vec<(String, Timestamp)>,
        now: Timestamp,
        limit: usize,
    ) -> Vec<(String, DomainAllowance)> {
        let mut left = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut domains: Vec<(String, i64, DomainAllowance)> = used_up
            .into_iter()
            .map(|(domain, at)| {
                // A time in the future means that the clock was set back.
                let from = if at > now {
                    self.full_if_used_up_by(now)
                } else {
                    at.max(self.full_if_used_up_by(now))
                };
                let grown = now.duration_since(from).as_nanos() / self.interval.as_nanos().max(1);
                (
                    domain,
                    i64::try_from(grown).unwrap_or(0).max(0),
                    DomainAllowance { count: 0, used_up_at: from },
                )
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
            .map(|(domain, _, DomainAllowance { count, used_up_at })| {
                let used = self.interval * i32::try_from(count).unwrap_or(i32::MAX);
                let used_up_at = used_up_at.saturating_add(used).unwrap_or(Timestamp::MAX);
                (domain, DomainAllowance { count, used_up_at })
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

    fn distributed(rate: SendRate, used_up: &[(&str, Timestamp)], limit: usize) -> Vec<(String, i64, i64)> {
        let used_up = used_up.iter().map(|(domain, at)| ((*domain).to_owned(), *at)).collect();
        let allotted = rate.distribute(used_up, NOW, limit).into_iter();
        allotted.map(|(domain, a)| (domain, a.count, a.used_up_at.as_second())).collect()
    }

    fn row(domain: &str, count: i64, used_up_at: i64) -> (String, i64, i64) {
        (domain.to_owned(), count, used_up_at)
    }

    #[test]
    fn allowance_grows_up_to_a_burst() {
        // One message a second, a burst of ten.
        let rate = SendRate::per_minute(60).unwrap();
        assert_eq!(distributed(rate, &[("a", ago(0))], 100), []);
        assert_eq!(distributed(rate, &[("a", ago(3))], 100), [row("a", 3, 0)]);
        assert_eq!(distributed(rate, &[("a", ago(3))], 2), [row("a", 2, -1)]);
        assert_eq!(distributed(rate, &[("a", ago(86_400))], 100), [row("a", 10, 0)]);
        // After the clock was set back, the domain does not wait.
        assert_eq!(distributed(rate, &[("a", ago(-60))], 100), [row("a", 10, 0)]);
        assert_eq!(rate.full_if_used_up_by(NOW), ago(10));
    }

    #[test]
    fn small_domain_does_not_wait_for_a_large_one() {
        let rate = SendRate::per_minute(60).unwrap();
        let both = [("large", ago(10)), ("small", ago(1))];
        assert_eq!(distributed(rate, &both, 4), [row("large", 3, -7), row("small", 1, 0)]);
    }

    #[test]
    fn hourly_total_matches_the_rate() {
        let rate = SendRate::per_minute(90).unwrap();
        for step in [1, 7, 400, 999] {
            let (mut at, mut count) = (rate.full_if_used_up_by(NOW), 0);
            let mut now = NOW;
            while now < NOW + SignedDuration::from_hours(1) {
                for (_, allotment) in rate.distribute(vec![("a".to_owned(), at)], now, 1000) {
                    (at, count) = (allotment.used_up_at, count + allotment.count);
                }
                now += SignedDuration::from_millis(step);
            }
            assert!((5400..=5416).contains(&count), "{count} at steps of {step} ms");
        }
    }

    #[test]
    fn zero_means_unlimited() {
        assert_eq!(SendRate::per_minute(0), None);
    }
}
