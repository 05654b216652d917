//! Asking a server again while it is busy or failing: how often and how long to wait between. What is asked, and which answers
//! are worth another attempt, is the caller's.

use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::{future::Future, time::Duration};

/// How often to ask, and how long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RetryPolicy {
    /// Attempts in all, at least one.
    pub(crate) attempts: u32,
    /// Before the second attempt; doubled before each further one.
    pub(crate) first_wait: Duration,
    /// A stranger's word is not waited for longer than this.
    pub(crate) longest_wait: Duration,
}

/// One attempt's end.
pub(crate) enum Attempt<T, E> {
    /// It went well.
    Done(T),
    /// It failed, and would fail again.
    Failed(E),
    /// It failed, but another attempt may help, after the wait that the server asked for.
    Again(E, Option<Duration>),
}

impl RetryPolicy {
    /// Attempts until one is done or failed, or until patience ends with the last attempt's failure.
    pub(crate) async fn run<T, E, F>(mut self, mut attempt: impl FnMut() -> F) -> Result<T, E>
    where
        F: Future<Output = Attempt<T, E>>,
    {
        loop {
            match attempt().await {
                Attempt::Done(answer) => return Ok(answer),
                Attempt::Failed(error) => return Err(error),
                Attempt::Again(error, asked) => match self.wait(asked) {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Err(error),
                },
            }
        }
    }

    /// How long to wait after one more attempt, where the server asked for `asked`; `None` where it was the last.
    fn wait(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.attempts = self.attempts.saturating_sub(1);
        let wait = asked.unwrap_or_default().min(self.longest_wait).max(self.first_wait);
        self.first_wait = self.first_wait.saturating_mul(2);
        (self.attempts > 0).then_some(wait)
    }
}

/// The wait that an answer asks for, where it tells it in seconds.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: RetryPolicy = RetryPolicy {
        attempts: 4,
        first_wait: Duration::from_secs(1),
        longest_wait: Duration::from_secs(30),
    };

    /// The waits between attempts, where every attempt asks for so many seconds.
    fn waits(asked: Option<u64>) -> Vec<u64> {
        let mut policy = PATIENCE;
        std::iter::from_fn(|| policy.wait(asked.map(Duration::from_secs)))
            .map(|wait| wait.as_secs())
            .collect()
    }

    #[test]
    fn waits_double_and_end() {
        assert_eq!(waits(None), [1, 2, 4]);
    }

    #[test]
    fn a_servers_wish_is_kept_within_bounds() {
        assert_eq!(waits(Some(3)), [3, 3, 4]);
        assert_eq!(waits(Some(u64::MAX)), [30, 30, 30]);
    }

    #[test]
    fn only_seconds_are_understood() {
        let of = |value: &'static str| {
            retry_after(&HeaderMap::from_iter([(
                RETRY_AFTER,
                reqwest::header::HeaderValue::from_static(value),
            )]))
        };
        assert_eq!(of("12"), Some(Duration::from_secs(12)));
        assert_eq!([of("-1"), of("soon"), of("Wed, 21 Oct 2026 07:28:00 GMT"), of("")], [None; 4]);
    }
}
