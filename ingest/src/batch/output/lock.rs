//! The two locks of an output folder. The run lock is held while pages are read or notices are
//! published. The change lock is held while notices or reviews are changed. Both are locks of the
//! operating system (`flock`) and end with the process.
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
    /// Takes the run lock, and creates the folder if it does not exist.
    ///
    /// # Errors
    /// [`BatchError::Busy`] if another process holds the lock; [`BatchError::Out`] if the folder
    /// cannot be written.
    pub fn acquire_run(out: &Path) -> Result<Self, BatchError> {
        Self::try_acquire(open(out, RUN_LOCK)?, out)
    }

    /// Takes the run lock of a folder that was locked before. A missing lock file is not created
    /// again, because the folder may be the empty mount point of an unavailable share.
    ///
    /// # Errors
    /// [`BatchError::Lost`] if the lock file is missing; otherwise as [`Lock::acquire_run`].
    pub fn reacquire_run(out: &Path) -> Result<Self, BatchError> {
        let file =
            File::options().append(true).open(out.join(RUN_LOCK)).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => BatchError::Lost(out.to_owned()),
                _ => BatchError::Out { path: out.to_owned(), source },
            })?;
        Self::try_acquire(file, out)
    }

    fn try_acquire(file: File, out: &Path) -> Result<Self, BatchError> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(BatchError::Busy(out.to_owned())),
            Err(TryLockError::Error(source)) => Err(BatchError::Out { path: out.to_owned(), source }),
        }
    }

    /// Takes the run lock of an existing output folder. Any other folder is refused, because with a
    /// lock file it could no longer be read as a batch.
    ///
    /// # Errors
    /// [`BatchError::NoOutput`] if the folder is not an output folder; [`BatchError::Unlisted`] if
    /// it cannot be listed; otherwise as [`Lock::acquire_run`].
    pub fn acquire_existing_run(out: &Path) -> Result<Self, BatchError> {
        if out.join(RUN_LOCK).exists() || listing::has_output(out)? {
            Self::acquire_run(out)
        } else {
            Err(BatchError::NoOutput(out.to_owned()))
        }
    }

    /// Waits until the change lock is free, and takes it. The caller holds the run lock.
    ///
    /// # Errors
    /// [`BatchError::Lost`] if the file of the run lock no longer exists; otherwise as
    /// [`Lock::acquire_change`].
    pub(crate) fn acquire_change_during_run(out: &Path) -> Result<Self, BatchError> {
        check_run_lock_file(out)?;
        Self::acquire_change(out)
    }

    /// Waits until the change lock is free, and takes it.
    ///
    /// # Errors
    /// [`BatchError::Out`] if the folder cannot be written.
    pub fn acquire_change(out: &Path) -> Result<Self, BatchError> {
        let file = open(out, ".write.lock")?;
        file.lock().map_err(|source| BatchError::Out { path: out.to_owned(), source })?;
        Ok(Self(file))
    }
}

/// Checks that the file of the run lock still exists. If not, the folder may be the empty mount
/// point of an unavailable share.
///
/// # Errors
/// [`BatchError::Lost`] if the file does not exist; [`BatchError::Out`] if this is unknown.
pub(crate) fn check_run_lock_file(out: &Path) -> Result<(), BatchError> {
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
            let taken = (0..1000).find_map(|_| Lock::acquire_run(folder.path()).err());
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(taken.is_none(), "{taken:?}");
        });
    }

    #[test]
    fn the_run_lock_excludes_other_runs_but_not_changes() {
        let folder = tempfile::tempdir().unwrap();
        let held = Lock::acquire_run(folder.path()).unwrap();
        let refused = Lock::acquire_run(folder.path()).unwrap_err();
        assert!(matches!(refused, BatchError::Busy(_)), "{refused}");
        assert!(Lock::acquire_change(folder.path()).is_ok(), "a review does not wait for a run");
        drop(held);
        assert!(Lock::acquire_run(folder.path()).is_ok());
    }
}
