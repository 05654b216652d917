//! Limits the requests of a caller on all servers of the portal together. Each server counts the requests
//! that it permits. When they reach a chunk, a tenth of the limit, it adds them to the count in the database,
//! which says whether the caller has any allowance left. So most requests need no query.
//!
//! In one go, N servers permit at most the limit and N chunks. A server forgets a part of a chunk after a
//! minute. So a caller who stays below the chunk on each server gets up to N chunks a minute more.
//!
//! While the database does not answer, each server applies the limit by itself. A request waits for the
//! database for a short time at most, and only one request in some seconds does.

use super::{
    metrics::{Metrics, http::ChunkOutcome},
    route_class::LimitSubject,
};
use crate::{
    base::{clock::Clock, config::DatabaseConfig, log_throttle::LogThrottle, secret::secret_hash},
    domain::error::ServiceError,
    storage::{
        request_count_pool,
        request_counts::{self, RequestAllowance},
    },
};
use lru::LruCache;
use sqlx::PgPool;
use std::{
    num::NonZeroU32,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::sync::Mutex as AsyncMutex;

/// A chunk is this part of a limit.
const CHUNKS_PER_LIMIT: u32 = 10;
/// The period of the limits.
const PERIOD_MS: i64 = 60_000;
/// How long the database is not asked again after it did not answer.
const PAUSE_MS: i64 = 5_000;
/// How long a caller without allowance is refused at least before the database is asked again. This bounds
/// the queries that a flood causes.
const MIN_REFUSAL_MS: i64 = 250;
/// The maximum number of tracked callers of a limit. If there are more, the caller that was silent longest is
/// dropped, which gives it a new chunk.
const MAX_TRACKED: usize = 50_000;
/// The number of counts that are deleted at once.
const DELETED_AT_ONCE: i64 = 1000;
/// How often an outage of the database is logged.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// Adds chunks to the counts in the database. The ceilings of all limits share it.
pub struct ChunkCounter {
    db: PgPool,
    metrics: Arc<Metrics>,
    clock: Clock,
    /// How long a request waits for the database.
    timeout: Duration,
    /// The database is not asked before this moment, in milliseconds since 1970.
    away_until: AtomicI64,
    log_throttle: LogThrottle,
}

impl ChunkCounter {
    /// Prepares the connections to the database. A request waits this long for an answer.
    ///
    /// # Errors
    /// Fails if the URL is malformed.
    pub fn new(
        config: &DatabaseConfig,
        timeout: Duration,
        metrics: Arc<Metrics>,
        clock: &Clock,
    ) -> Result<Self, sqlx::Error> {
        Ok(Self {
            db: request_count_pool(config)?,
            metrics,
            clock: clock.clone(),
            timeout,
            away_until: AtomicI64::new(0),
            log_throttle: LogThrottle::new(LOG_INTERVAL),
        })
    }

    /// Adds requests to the count of a key. Returns the milliseconds until the next request if the last of
    /// them is refused. `Err`: the database does not answer.
    async fn count(
        &self,
        key: &[u8; 32],
        requests: u32,
        allowance: RequestAllowance,
    ) -> Result<Option<i64>, NoAnswer> {
        let now = self.clock.now().as_millisecond();
        let away_until = self.away_until.load(Ordering::Relaxed);
        if now < away_until {
            return Err(NoAnswer);
        }
        if away_until > 0 {
            // One request finds out whether the database answers again. The others don't wait.
            let claim = self.away_until.compare_exchange(
                away_until,
                now.saturating_add(PAUSE_MS),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            claim.map_err(|_| NoAnswer)?;
        }
        let (db, key, now_us) = (self.db.clone(), *key, now.saturating_mul(1000));
        // A task, because a new connection may take longer than the request waits for it.
        let counting = tokio::spawn(async move {
            request_counts::count(&db, &key, requests.into(), allowance, now_us).await
        });
        let error = match tokio::time::timeout(self.timeout, counting).await {
            Ok(Ok(Ok(wait_us))) => {
                self.away_until.store(0, Ordering::Relaxed);
                let outcome = if wait_us.is_none() { ChunkOutcome::Permitted } else { ChunkOutcome::Refused };
                self.metrics.http.count_chunk(outcome);
                return Ok(wait_us.map(|wait| wait.saturating_add(999) / 1000));
            }
            Ok(Ok(Err(error))) => error.to_string(),
            Ok(Err(panicked)) => panicked.to_string(),
            Err(_) => format!("no answer within {} milliseconds", self.timeout.as_millis()),
        };
        self.away_until.store(now.saturating_add(PAUSE_MS), Ordering::Relaxed);
        self.metrics.http.count_chunk(ChunkOutcome::Failed);
        if self.log_throttle.is_due() {
            tracing::warn!(error, "requests are limited by each server for itself");
        }
        Err(NoAnswer)
    }
}

/// The database does not answer.
struct NoAnswer;

/// The requests of a caller to this server.
#[derive(Debug, Default)]
struct CallerRequests {
    /// The permitted requests that the database does not count yet.
    uncounted: u32,
    /// When the first of them was made, in milliseconds since 1970.
    since: i64,
    /// The caller has no allowance before this moment.
    refused_until: i64,
}

/// A limit per minute for each caller on all servers together.
pub struct RequestCeiling {
    /// The name of the limit, which is a part of its keys.
    name: &'static str,
    allowance: RequestAllowance,
    chunk: u32,
    counter: Arc<ChunkCounter>,
    callers: Mutex<LruCache<LimitSubject, Arc<AsyncMutex<CallerRequests>>>>,
}

impl RequestCeiling {
    /// Permits this many requests per minute, possibly all at once.
    #[must_use]
    pub fn per_minute(name: &'static str, count: NonZeroU32, counter: Arc<ChunkCounter>) -> Self {
        let count = count.get();
        Self {
            name,
            allowance: RequestAllowance {
                count: count.into(),
                refill_us: (PERIOD_MS * 1000 / i64::from(count)).max(1),
            },
            chunk: chunk_of(count),
            counter,
            // `LruCache::new` would reserve the memory of all callers at once.
            callers: Mutex::new(LruCache::unbounded()),
        }
    }

    /// Counts one request of a caller. The requests of one caller wait while the database counts a chunk of
    /// them.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next request may succeed.
    pub async fn try_acquire(&self, caller: LimitSubject) -> Result<(), ServiceError> {
        let requests = self.requests_of(caller);
        let mut requests = requests.lock().await;
        let now = self.counter.clock.now().as_millisecond();
        if now < requests.refused_until {
            return Err(refusal(requests.refused_until - now));
        }
        if requests.uncounted == 0 || !(0..PERIOD_MS).contains(&(now - requests.since)) {
            (requests.uncounted, requests.since) = (0, now);
        }
        requests.uncounted = requests.uncounted.saturating_add(1);
        if requests.uncounted < self.chunk {
            return Ok(());
        }
        let counted = self.counter.count(&self.key_of(caller), requests.uncounted, self.allowance).await;
        match counted {
            Ok(None) => {
                requests.uncounted = 0;
                Ok(())
            }
            Ok(Some(wait_ms)) => {
                let wait_ms = wait_ms.max(MIN_REFUSAL_MS);
                (requests.uncounted, requests.refused_until) = (0, now.saturating_add(wait_ms));
                Err(refusal(wait_ms))
            }
            Err(NoAnswer) => Ok(()),
        }
    }

    fn requests_of(&self, caller: LimitSubject) -> Arc<AsyncMutex<CallerRequests>> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let requests = callers.get_or_insert(caller, Arc::default).clone();
        if callers.len() > MAX_TRACKED {
            callers.pop_lru();
        }
        requests
    }

    /// The key of a caller's row. Only its hash is stored.
    fn key_of(&self, caller: LimitSubject) -> [u8; 32] {
        let (kind, id) = match caller {
            LimitSubject::Account(id) => ("account", id.to_string()),
            LimitSubject::Device(id) => ("device", id.to_string()),
            LimitSubject::ApiKey(id) => ("key", id.to_string()),
            LimitSubject::Address(address) => ("address", address.to_string()),
        };
        secret_hash(&[self.name, kind, &id].join("\0"))
    }
}

/// The requests that a server permits a caller before the database counts them.
#[must_use]
const fn chunk_of(limit: u32) -> u32 {
    let chunk = limit / CHUNKS_PER_LIMIT;
    if chunk == 0 { 1 } else { chunk }
}

fn refusal(wait_ms: i64) -> ServiceError {
    ServiceError::RateLimited {
        retry_after_seconds: u64::try_from(wait_ms).unwrap_or_default().div_ceil(1000).max(1),
    }
}

/// Deletes the counts of callers that have their whole allowance again.
///
/// # Errors
///
/// Fails if the database does.
pub async fn delete_full(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    let now = clock.now().as_microsecond();
    while request_counts::delete_full(db, now, DELETED_AT_ONCE).await? > 0 {}
    Ok(())
}
