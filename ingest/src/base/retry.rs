//! Retries with exponential backoff. The caller decides which failures are retried.

use backon::{ExponentialBuilder, Retryable, Sleeper, TokioSleeper};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::{future::Future, time::Duration};

/// How often to try, and how long to wait between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RetryPolicy {
    /// The number of attempts, at least one.
    pub(crate) attempts: u32,
    /// The wait before the second attempt. It doubles before each further attempt.
    pub(crate) first_wait: Duration,
    /// The upper limit for a wait that the server asks for. The doubled waits have no limit.
    pub(crate) longest_wait: Duration,
}

/// The outcome of one attempt.
pub(crate) enum Attempt<T, E> {
    /// The attempt succeeded.
    Done(T),
    /// The attempt failed, and a retry would fail too.
    Failed(E),
    /// The attempt failed, and a retry may help. The server may have asked for this wait.
    Again(E, Option<Duration>),
}

/// A failed attempt.
struct Failure<E> {
    error: E,
    is_temporary: bool,
    /// The wait that the server asked for.
    asked: Duration,
}

impl RetryPolicy {
    /// Tries until an attempt succeeds or fails for good, or until the attempts are used up.
    pub(crate) async fn run<T, E, F>(self, attempt: impl FnMut() -> F) -> Result<T, E>
    where
        F: Future<Output = Attempt<T, E>>,
    {
        self.run_with(TokioSleeper, attempt).await
    }

    async fn run_with<T, E, F>(self, sleeper: impl Sleeper, mut attempt: impl FnMut() -> F) -> Result<T, E>
    where
        F: Future<Output = Attempt<T, E>>,
    {
        let backoff = ExponentialBuilder::default()
            .with_min_delay(self.first_wait)
            .with_factor(2.0)
            .without_max_delay()
            .with_max_times(self.attempts.saturating_sub(1) as usize);
        let attempt = || {
            let attempt = attempt();
            async move {
                match attempt.await {
                    Attempt::Done(answer) => Ok(answer),
                    Attempt::Failed(error) => {
                        Err(Failure { error, is_temporary: false, asked: Duration::ZERO })
                    }
                    Attempt::Again(error, asked) => {
                        Err(Failure { error, is_temporary: true, asked: asked.unwrap_or_default() })
                    }
                }
            }
        };
        let outcome = attempt
            .retry(backoff)
            .sleep(sleeper)
            .when(|failure| failure.is_temporary)
            .adjust(|failure, wait| wait.map(|wait| failure.asked.min(self.longest_wait).max(wait)));
        outcome.await.map_err(|failure| failure.error)
    }
}

/// The wait in the `Retry-After` header, if it is given in seconds.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    const POLICY: RetryPolicy = RetryPolicy {
        attempts: 4,
        first_wait: Duration::from_secs(1),
        longest_wait: Duration::from_secs(30),
    };

    /// The waits between attempts, in seconds, if the server asks for `asked` seconds each time.
    fn waits(asked: Option<u64>) -> Vec<u64> {
        let waits = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&waits);
        let sleeper = move |wait: Duration| {
            recorded.lock().unwrap().push(wait.as_secs());
            std::future::ready(())
        };
        let attempt = || std::future::ready(Attempt::<(), _>::Again((), asked.map(Duration::from_secs)));
        let outcome = futures::executor::block_on(POLICY.run_with(sleeper, attempt));
        assert_eq!(outcome, Err(()));
        Arc::try_unwrap(waits).unwrap().into_inner().unwrap()
    }

    #[test]
    fn waits_double_until_the_attempts_are_used_up() {
        assert_eq!(waits(None), [1, 2, 4]);
    }

    #[test]
    fn a_wait_requested_by_the_server_is_limited() {
        assert_eq!(waits(Some(3)), [3, 3, 4]);
        assert_eq!(waits(Some(u64::MAX)), [30, 30, 30]);
    }

    #[test]
    fn retry_after_is_parsed_in_seconds_only() {
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
