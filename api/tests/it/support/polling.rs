//! Waits for what a portal does in the background.

use std::time::{Duration, Instant};

/// How long tests wait for a step of the background jobs. A busy machine needs several seconds.
const PATIENCE: Duration = Duration::from_secs(30);
const INTERVAL: Duration = Duration::from_millis(25);

/// Calls `look` until it returns a value. `None`: it returned none for 30 seconds.
pub async fn poll<T>(mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    loop {
        if let Some(found) = look().await {
            return Some(found);
        }
        if started.elapsed() >= PATIENCE {
            return None;
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Calls `look` until it returns true. Fails with this message after 30 seconds.
pub async fn wait_until(expected: &str, mut look: impl AsyncFnMut() -> bool) {
    let seen = poll(async || look().await.then_some(())).await;
    assert!(seen.is_some(), "not within 30 seconds: {expected}");
}
