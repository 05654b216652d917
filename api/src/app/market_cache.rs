//! Keeps the figures of buyers and of the market for a minute, because each counts many tenders.

use crate::{
    base::clock::Clock,
    domain::{
        error::ServiceError,
        market::{Buyer, BuyerFigures, Market, MarketFilter},
    },
};
use anyhow::anyhow;
use moka::future::Cache;
use std::{future::Future, hash::Hash, sync::Arc, time::Duration};

/// The maximum number of kept figures of each kind. An entry has a few kilobytes.
const MAX_ENTRIES: u64 = 256;
/// An entry is unused after its minute. Then it is deleted.
const DELETED_AFTER: Duration = Duration::from_mins(2);

/// What the key of a minute is kept for.
type Kept<K, V> = Cache<(K, i64), Arc<V>>;

/// The figures of the last minute. Requests for the same figures at the same time count them once.
pub struct MarketCache {
    buyers: Kept<(), Vec<Buyer>>,
    figures: Kept<String, BuyerFigures>,
    markets: Kept<MarketFilter, Market>,
    clock: Clock,
}

impl MarketCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(clock: &Clock) -> Self {
        Self { buyers: empty(), figures: empty(), markets: empty(), clock: clock.clone() }
    }

    /// Returns all bodies. If they are missing or older than a minute, reads them.
    pub async fn buyers(
        &self,
        read: impl Future<Output = Result<Vec<Buyer>, ServiceError>>,
    ) -> Result<Arc<Vec<Buyer>>, ServiceError> {
        self.get(&self.buyers, (), read).await
    }

    /// Returns the figures of a body. If they are missing or older than a minute, counts them.
    pub async fn figures(
        &self,
        slug: &str,
        count: impl Future<Output = Result<BuyerFigures, ServiceError>>,
    ) -> Result<Arc<BuyerFigures>, ServiceError> {
        self.get(&self.figures, slug.to_owned(), count).await
    }

    /// Returns the figures of the market. If they are missing or older than a minute, counts them.
    pub async fn market(
        &self,
        filter: MarketFilter,
        count: impl Future<Output = Result<Market, ServiceError>>,
    ) -> Result<Arc<Market>, ServiceError> {
        self.get(&self.markets, filter, count).await
    }

    async fn get<K, V>(
        &self,
        kept: &Kept<K, V>,
        key: K,
        make: impl Future<Output = Result<V, ServiceError>>,
    ) -> Result<Arc<V>, ServiceError>
    where
        K: Hash + Eq + Send + Sync + 'static,
        V: Send + Sync + 'static,
    {
        let minute = self.clock.now().as_second().div_euclid(60);
        let make = async { make.await.map(Arc::new) };
        let found = kept.try_get_with((key, minute), make).await;
        // Several requests can wait for the same failure.
        found.map_err(|error| ServiceError::Internal(anyhow!("counting the market: {error:?}")))
    }
}

fn empty<K, V>() -> Kept<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
{
    Cache::builder().max_capacity(MAX_ENTRIES).time_to_live(DELETED_AFTER).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[tokio::test]
    async fn figures_are_counted_once_a_minute_and_failures_are_not_kept() {
        let clock = Clock::fixed("2026-11-20T06:00:30Z".parse().unwrap());
        let cache = MarketCache::new(&clock);
        let of = |total| async move { Ok(Market { total, ..Market::default() }) };
        let filter = MarketFilter::default();
        assert!(cache.market(filter, async { Err(ServiceError::BUSY) }).await.is_err());
        assert_eq!(cache.market(filter, of(1)).await.unwrap().total, 1);
        assert_eq!(cache.market(filter, of(2)).await.unwrap().total, 1);
        clock.set(clock.now() + SignedDuration::from_secs(60));
        assert_eq!(cache.market(filter, of(3)).await.unwrap().total, 3);
    }
}
