//! Who may write into an output folder. Both locks are the operating system's: they end with the process, however it ends.
//!
//! Such a lock (`flock`) belongs to the open file, and a program that is being started holds a copy of every open file between `fork`
//! and `exec`. So a lock is unlocked when it is dropped: closing the file would leave it to that program for a moment.

use super::listing;
use crate::batch::{BatchError, file_names::RUN_LOCK};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

/// A lock, held until it is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Where that fails, closing the file releases it.
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// The lock of whoever reads or publishes: there is one at a time.
    ///
    /// # Errors
    /// [`BatchError::Busy`] while another holds it; [`BatchError::Out`] where the folder cannot be written.
    pub fn run(out: &Path) -> Result<Self, BatchError> {
        Self::of(open(out, RUN_LOCK)?, out)
    }

    /// The same, where it was held before: a folder without it is not the one that it was, but the empty place of a share that is away.
    ///
    /// # Errors
    /// [`BatchError::Lost`] there; else as [`Lock::run`].
    pub fn again(out: &Path) -> Result<Self, BatchError> {
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

    /// The same, of a folder that pages were read into before: of another one it makes no folder of output, which would not be read as a
    /// batch any more.
    ///
    /// # Errors
    /// [`BatchError::NoOutput`] where nothing was; else as [`Lock::run`].
    pub fn existing(out: &Path) -> Result<Self, BatchError> {
        if out.join(RUN_LOCK).exists() || listing::has_output(out)? {
            Self::run(out)
        } else {
            Err(BatchError::NoOutput(out.to_owned()))
        }
    }

    /// The lock of whoever writes while it holds the first one.
    ///
    /// # Errors
    /// [`BatchError::Lost`] where that one's file is gone, and with it the folder that it marked; else as [`Lock::write`].
    pub(crate) fn write_on(out: &Path) -> Result<Self, BatchError> {
        marked(out)?;
        Self::write(out)
    }

    /// The lock of whoever writes a page's notices or a decision about one: held for a moment, so it is waited for.
    ///
    /// # Errors
    /// [`BatchError::Out`] where the folder cannot be written.
    pub fn write(out: &Path) -> Result<Self, BatchError> {
        let file = open(out, ".write.lock")?;
        file.lock().map_err(|source| BatchError::Out { path: out.to_owned(), source })?;
        Ok(Self(file))
    }
}

/// Whether a folder, on which the first lock was held, is the one that it was.
///
/// # Errors
/// [`BatchError::Lost`] where it is not.
pub(crate) fn marked(out: &Path) -> Result<(), BatchError> {
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
    fn a_dropped_lock_is_free_at_once_while_programs_are_started() {
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
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = Lock::run(folder.path()).unwrap();
        let refused = Lock::run(folder.path()).unwrap_err();
        assert!(matches!(refused, BatchError::Busy(_)), "{refused}");
        assert!(Lock::write(folder.path()).is_ok(), "a decision needs not wait for a whole run");
        drop(held);
        assert!(Lock::run(folder.path()).is_ok());
    }
}
