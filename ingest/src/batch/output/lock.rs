//! Locks of an output folder. They are locks of the operating system (`flock`) and end with the
//! process.
//!
//! A lock belongs to the open file, and a child process holds a copy of every open file between
//! `fork` and `exec`. The lock is therefore released explicitly when it is dropped.

use super::listing;
use crate::batch::{BatchError, file_names::RUN_LOCK};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// The lock for reading or publishing. Only one process holds it.
    ///
    /// # Errors
    /// [`BatchError::Busy`] if another process holds it; [`BatchError::Out`] if the folder cannot
    /// be written.
    pub fn run(out: &Path) -> Result<Self, BatchError> {
        Self::of(open(out, RUN_LOCK)?, out)
    }

    /// The lock for reading or publishing on a folder that was locked before. If the lock file is
    /// missing, the folder is the empty mount point of an unavailable share.
    ///
    /// # Errors
    /// [`BatchError::Lost`] in that case; otherwise as [`Lock::run`].
    pub fn run_again(out: &Path) -> Result<Self, BatchError> {
        let file =
            File::options().append(true).open(out.join(RUN_LOCK)).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => BatchError::Lost(out.to_owned()),
                _ => BatchError::Out { path: out.to_owned(), source },
            })?;
        Self::of(file, out)
    }

    fn of(file: File, out: &Path) -> Result<Self, BatchError> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(BatchError::Busy(out.to_owned())),
            Err(TryLockError::Error(source)) => Err(BatchError::Out { path: out.to_owned(), source }),
        }
    }

    /// The lock for reading or publishing on an existing output folder. It never turns another
    /// folder into an output folder, because that folder could no longer be read as a batch.
    ///
    /// # Errors
    /// [`BatchError::NoOutput`] if it is not an output folder; otherwise as [`Lock::run`].
    pub fn existing(out: &Path) -> Result<Self, BatchError> {
        if out.join(RUN_LOCK).exists() || listing::has_output(out)? {
            Self::run(out)
        } else {
            Err(BatchError::NoOutput(out.to_owned()))
        }
    }

    /// The lock for writing. The caller holds the lock for reading.
    ///
    /// # Errors
    /// [`BatchError::Lost`] if the lock file for reading no longer exists; otherwise as
    /// [`Lock::write`].
    pub(crate) fn write_during_run(out: &Path) -> Result<Self, BatchError> {
        check_folder(out)?;
        Self::write(out)
    }

    /// The lock for writing notices or reviews. The call waits until the lock is free.
    ///
    /// # Errors
    /// [`BatchError::Out`] if the folder cannot be written.
    pub fn write(out: &Path) -> Result<Self, BatchError> {
        let file = open(out, ".write.lock")?;
        file.lock().map_err(|source| BatchError::Out { path: out.to_owned(), source })?;
        Ok(Self(file))
    }
}

/// Checks that a locked folder is still the same folder.
///
/// # Errors
/// [`BatchError::Lost`] if it is not.
pub(crate) fn check_folder(out: &Path) -> Result<(), BatchError> {
    match out.join(RUN_LOCK).try_exists() {
        Ok(true) => Ok(()),
        Ok(false) => Err(BatchError::Lost(out.to_owned())),
        Err(source) => Err(BatchError::Out { path: out.to_owned(), source }),
    }
}

fn open(out: &Path, name: &str) -> Result<File, BatchError> {
    let opened =
        fs::create_dir_all(out).and_then(|()| File::options().append(true).create(true).open(out.join(name)));
    opened.map_err(|source: io::Error| BatchError::Out { path: out.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_lock_is_released_even_while_processes_start() {
        let folder = tempfile::tempdir().unwrap();
        let is_done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                        std::process::Command::new("true").status().unwrap();
                    }
                });
            }
            let taken = (0..1000).find_map(|_| Lock::run(folder.path()).err());
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(taken.is_none(), "{taken:?}");
        });
    }

    #[test]
    fn only_one_process_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = Lock::run(folder.path()).unwrap();
        let refused = Lock::run(folder.path()).unwrap_err();
        assert!(matches!(refused, BatchError::Busy(_)), "{refused}");
        assert!(Lock::write(folder.path()).is_ok(), "a review does not wait for a run");
        drop(held);
        assert!(Lock::run(folder.path()).is_ok());
    }
}
