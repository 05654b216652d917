//! The file `CURRENT`, which names the generation in use, and the deletion of other generations.

use super::generation_dir;
use crate::error::IndexError;
use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    path::Path,
};

/// The file that names the generation in use.
const CURRENT: &str = "CURRENT";
/// The new version of `CURRENT` while it is being written.
const NEXT: &str = "CURRENT.next";
/// The maximum number of bytes that are read from `CURRENT`.
const MAX_NAME_BYTES: u64 = 32;

/// Reads the name of the generation in use.
///
/// # Errors
/// [`IndexError::Missing`] if there is no index, [`IndexError::Foreign`] if the directory belongs
/// to another program, and [`IndexError::Damaged`] if the name is invalid.
pub(super) fn read(directory: &Path) -> Result<String, IndexError> {
    let path = directory.join(CURRENT);
    let mut name = String::new();
    let read = File::open(&path).and_then(|file| file.take(MAX_NAME_BYTES).read_to_string(&mut name));
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(missing_or_foreign(directory)),
        Err(error) if error.kind() == ErrorKind::InvalidData => name.clear(),
        Err(source) => return Err(IndexError::Io { path, source }),
    }
    let name = name.trim_end();
    if generation_dir::parse_number(name).is_none() {
        return Err(IndexError::Damaged { path, what: "it does not name an index".to_owned() });
    }
    Ok(name.to_owned())
}

/// The error for a directory without `CURRENT`. The index is missing, unless the directory contains
/// files of another program.
fn missing_or_foreign(directory: &Path) -> IndexError {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return IndexError::Missing(directory.to_path_buf());
        }
        Err(source) => return IndexError::Io { path: directory.to_path_buf(), source },
    };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let foreign = names.into_iter().find(|name| name != NEXT && generation_dir::parse_number(name).is_none());
    match foreign {
        Some(example) => IndexError::Foreign { path: directory.to_path_buf(), example },
        None => IndexError::Missing(directory.to_path_buf()),
    }
}

/// Replaces `CURRENT` atomically and durably.
pub(super) fn replace(directory: &Path, name: &str) -> Result<(), IndexError> {
    let (next, current) = (directory.join(NEXT), directory.join(CURRENT));
    let write = || {
        let mut file = File::create(&next)?;
        writeln!(file, "{name}")?;
        file.sync_all()?;
        fs::rename(&next, &current)?;
        File::open(directory)?.sync_all()
    };
    write().map_err(|source| IndexError::Io { path: current.clone(), source })
}

/// Deletes generations that are not in use and not locked. A later call retries failed deletions.
pub(super) fn remove_unused(directory: &Path, in_use: &str) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name != in_use && generation_dir::parse_number(&name).is_some() {
            generation_dir::remove_unless_locked(&entry.path());
        }
    }
}
