//! Keeps what the home page shows, because most visits start there and it needs several searches.

use crate::{
    base::clock::Clock,
    domain::{error::ServiceError, highlights::Highlights},
};
use index::LogPosition;
use std::{future::Future, sync::Arc};
use tokio::sync::Mutex;

/// For what the kept highlights are valid: a state of the index, and a minute, because open tenders
/// close as time passes.
type Validity = (Option<LogPosition>, i64);

/// The highlights that were chosen last. The lock is held while they are chosen, so that requests at
/// the same time choose them once.
pub struct HighlightsCache {
    kept: Mutex<Option<(Validity, Arc<Highlights>)>>,
    clock: Clock,
}

impl HighlightsCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(clock: &Clock) -> Self {
        Self { kept: Mutex::new(None), clock: clock.clone() }
    }

    /// Returns the highlights for the index at this position. If they are missing or older than a
    /// minute, chooses them.
    pub async fn get_or_choose(
        &self,
        position: Option<LogPosition>,
        choose: impl Future<Output = Result<Highlights, ServiceError>>,
    ) -> Result<Arc<Highlights>, ServiceError> {
        let validity = (position, self.clock.now().as_second().div_euclid(60));
        let mut kept = self.kept.lock().await;
        if let Some((of, highlights)) = kept.as_ref()
            && *of == validity
        {
            return Ok(Arc::clone(highlights));
        }
        let highlights = Arc::new(choose.await?);
        *kept = Some((validity, Arc::clone(&highlights)));
        Ok(highlights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn position(position: i64) -> Option<LogPosition> {
        Some(LogPosition { position, change_id: uuid::Uuid::nil() })
    }

    #[tokio::test]
    async fn highlights_are_chosen_once_per_minute_and_state_of_the_index() {
        let clock = Clock::fixed("2026-11-20T06:00:30Z".parse().unwrap());
        let cache = HighlightsCache::new(&clock);
        let chosen = AtomicU32::new(0);
        let get = async |position| {
            let choose = async {
                chosen.fetch_add(1, Ordering::SeqCst);
                Ok(Highlights::default())
            };
            cache.get_or_choose(position, choose).await.unwrap();
            chosen.load(Ordering::SeqCst)
        };
        assert_eq!(tokio::join!(get(position(1)), get(position(1))).1, 1);
        assert_eq!(get(position(2)).await, 2);
        clock.set(clock.now() + SignedDuration::from_secs(60));
        assert_eq!(get(position(2)).await, 3);
    }

    #[tokio::test]
    async fn failure_is_not_kept() {
        let cache = HighlightsCache::new(&Clock::fixed("2026-11-20T06:00:30Z".parse().unwrap()));
        assert!(cache.get_or_choose(None, async { Err(ServiceError::BUSY) }).await.is_err());
        assert!(cache.get_or_choose(None, async { Ok(Highlights::default()) }).await.is_ok());
    }
}
