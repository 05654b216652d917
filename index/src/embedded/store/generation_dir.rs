//! The directory of a generation: its name, and the lock that prevents its deletion.

use crate::error::IndexError;
use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
};

/// The users of a generation lock this file in shared mode. A process that deletes the generation
/// locks it in exclusive mode.
const LOCK_FILE: &str = ".held";

/// The number in the name of a generation. `None` if the name is not that of a generation.
pub(super) fn parse_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('g').filter(|digits| digits.len() == 8)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Locks a generation against deletion.
pub(super) fn lock_against_deletion(path: &Path) -> Result<File, IndexError> {
    let file = path.join(LOCK_FILE);
    let held = File::options().create(true).truncate(false).write(true).open(&file);
    match held.and_then(|held| held.lock_shared().map(|()| held)) {
        Ok(held) => Ok(held),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(IndexError::Damaged { path: path.to_path_buf(), what: "its directory is gone".to_owned() })
        }
        Err(source) => Err(IndexError::Io { path: file, source }),
    }
}

/// Deletes the directory of a generation unless it is locked.
pub(super) fn remove_unless_locked(path: &Path) {
    let free = File::options().create(true).truncate(false).write(true).open(path.join(LOCK_FILE));
    let Ok(free) = free.and_then(|held| held.try_lock().map(|()| held).map_err(Into::into)) else { return };
    if let Err(error) = fs::remove_dir_all(path) {
        tracing::warn!(path = %path.display(), %error, "cannot remove an old index");
    }
    // The lock ends at the latest when the file is closed, so a failure has no effect.
    let _ = free.unlock();
}
