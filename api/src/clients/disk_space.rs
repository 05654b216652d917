//! The free space of the disk that contains the data folder. Uploads are refused before the disk is full,
//! because Postgres, the search index or the log may be on the same disk.

use crate::{base::config::ServeConfig, domain::error::ServiceError};
use std::path::PathBuf;

/// There is little room if less than this multiple of the required space is free.
const LITTLE_ROOM_FACTOR: u64 = 4;

/// Whether the disk has room for further files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskRoom {
    /// There is enough room.
    Enough,
    /// Uploads are accepted, but the operator should make room.
    Little,
    /// Uploads are refused.
    None,
}

/// Measures the free space of the disk of the data folder.
#[derive(Debug, Clone)]
pub struct DiskSpace {
    folder: PathBuf,
    /// The free bytes below which uploads are refused.
    required: u64,
}

impl DiskSpace {
    /// Creates a measure from the settings.
    #[must_use]
    pub fn new(config: &ServeConfig) -> Self {
        Self { folder: config.data.data.clone(), required: config.min_free_mib << 20 }
    }

    /// The bytes that this process can still write. `None`: the system does not tell.
    #[must_use]
    pub fn free(&self) -> Option<u64> {
        let disk = rustix::fs::statvfs(&self.folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Whether there is room for further files.
    #[must_use]
    pub fn room(&self) -> DiskRoom {
        match self.free() {
            Some(free) if free < self.required => DiskRoom::None,
            Some(free) if free < self.required.saturating_mul(LITTLE_ROOM_FACTOR) => DiskRoom::Little,
            _ => DiskRoom::Enough,
        }
    }

    /// Refuses an upload if the disk is nearly full.
    ///
    /// # Errors
    /// 503 if the disk has no room.
    pub fn require(&self) -> Result<(), ServiceError> {
        match self.room() {
            DiskRoom::None => Err(ServiceError::Unavailable(
                "The portal cannot store files at present. Please try again later.",
            )),
            DiskRoom::Little | DiskRoom::Enough => Ok(()),
        }
    }
}
