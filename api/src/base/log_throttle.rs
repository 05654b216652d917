//! Limits how often a persistent problem is logged.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Permits one log line per interval.
pub(crate) struct LogThrottle {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl LogThrottle {
    /// Permits a line at once, and further lines at this interval.
    pub(crate) const fn new(interval: Duration) -> Self {
        Self { interval, last: Mutex::new(None) }
    }

    /// Whether the caller should log now.
    pub(crate) fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.interval);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_permitted_per_interval() {
        let throttle = LogThrottle::new(Duration::from_secs(3600));
        assert!(throttle.is_due() && !throttle.is_due() && !throttle.is_due());
        let never = LogThrottle::new(Duration::ZERO);
        assert!(never.is_due() && never.is_due());
    }
}
