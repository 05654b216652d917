//! Files in a place: opened, and in a listing.

use bytes::Bytes;
use futures::stream::BoxStream;
use object_store::{Error as StoreError, path::Path as ObjectPath};
use std::{
    fmt,
    ops::Range,
    time::{Duration, SystemTime},
};

/// A stored file that is being read.
pub struct OpenFile {
    /// The size of the whole file in bytes.
    pub size: u64,
    /// The bytes that the stream contains.
    pub range: Range<u64>,
    /// The content.
    pub content: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// A file in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    pub(super) path: ObjectPath,
    pub(super) written_at: SystemTime,
}

impl ListedFile {
    /// The name without its folder and extension: the hash of a file that the portal has stored.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.path.filename().unwrap_or_default();
        name.split_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Whether it was written at least `min_age` ago.
    #[must_use]
    pub fn is_old(&self, min_age: Duration) -> bool {
        is_old(self.written_at, min_age)
    }
}

impl fmt::Display for ListedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

/// Whether a time is at least `min_age` ago.
pub(super) fn is_old(at: SystemTime, min_age: Duration) -> bool {
    at.elapsed().is_ok_and(|age| age >= min_age)
}
