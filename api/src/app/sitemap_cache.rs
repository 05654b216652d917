//! Keeps the files of the sitemap for some minutes, because each file lists thousands of tenders and
//! crawlers request the same files again and again.

use crate::{base::clock::Clock, domain::error::ServiceError};
use jiff::{SignedDuration, Timestamp};
use lru::LruCache;
use std::{future::Future, hash::Hash, num::NonZeroUsize};
use tokio::sync::Mutex;
use tokio_util::bytes::Bytes;

/// How long a file is kept.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// The maximum number of kept files. Each has at most about 5 MB.
const MAX_FILES: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// A file of the sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SitemapFile {
    /// The list of the other files.
    Index,
    /// The file of tenders with this number.
    Tenders(u32),
}

/// The files of the sitemap that were made in the last minutes.
pub struct SitemapCache {
    files: Kept<SitemapFile, Bytes>,
    /// The number of public tenders.
    count: Kept<(), i64>,
    clock: Clock,
}

/// Values and the times at which they were made. The lock is held while a value is made, so that
/// requests at the same time make it once.
type Kept<K, V> = Mutex<LruCache<K, (Timestamp, V)>>;

impl SitemapCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(clock: &Clock) -> Self {
        let (files, count) = (LruCache::new(MAX_FILES), LruCache::new(NonZeroUsize::MIN));
        Self { files: Mutex::new(files), count: Mutex::new(count), clock: clock.clone() }
    }

    /// Returns a file. If it is missing or too old, makes it.
    pub async fn get_or_make<F>(
        &self,
        file: SitemapFile,
        make: impl FnOnce() -> F,
    ) -> Result<Bytes, ServiceError>
    where
        F: Future<Output = Result<Bytes, ServiceError>>,
    {
        fetch(&self.files, file, self.clock.now(), make).await
    }

    /// Returns the number of public tenders. If it is unknown or too old, reads it.
    pub async fn count_or_read<F>(&self, read: impl FnOnce() -> F) -> Result<i64, ServiceError>
    where
        F: Future<Output = Result<i64, ServiceError>>,
    {
        fetch(&self.count, (), self.clock.now(), read).await
    }
}

async fn fetch<K, V, F>(
    kept: &Kept<K, V>,
    key: K,
    now: Timestamp,
    make: impl FnOnce() -> F,
) -> Result<V, ServiceError>
where
    K: Hash + Eq,
    V: Clone,
    F: Future<Output = Result<V, ServiceError>>,
{
    let mut kept = kept.lock().await;
    if let Some((made_at, value)) = kept.get(&key)
        && now.duration_since(*made_at) < LIFETIME
    {
        return Ok(value.clone());
    }
    let value = make().await?;
    kept.put(key, (now, value.clone()));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn file_is_made_once_in_ten_minutes_and_few_files_are_kept() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let cache = SitemapCache::new(&clock);
        let made = AtomicU32::new(0);
        let get = async |file| {
            let make = || async {
                made.fetch_add(1, Ordering::SeqCst);
                Ok(Bytes::from_static(b"x"))
            };
            cache.get_or_make(file, make).await.unwrap();
        };
        tokio::join!(get(SitemapFile::Tenders(1)), get(SitemapFile::Tenders(1)));
        get(SitemapFile::Tenders(1)).await;
        assert_eq!(made.load(Ordering::SeqCst), 1);
        clock.set(clock.now() + LIFETIME);
        get(SitemapFile::Tenders(1)).await;
        assert_eq!(made.load(Ordering::SeqCst), 2);
        for nth in 2..100 {
            get(SitemapFile::Tenders(nth)).await;
        }
        assert_eq!(cache.files.lock().await.len(), MAX_FILES.get());
        let failed = cache.get_or_make(SitemapFile::Index, || async { Err(ServiceError::BUSY) }).await;
        assert!(failed.is_err(), "a failure is not kept");
        get(SitemapFile::Index).await;
    }
}
