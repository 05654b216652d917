//! A file in the data folder that records an unfinished restore. While it exists, no server starts.

use crate::{base::config::DataConfig, domain::restore::UnfinishedRestore};
use anyhow::Context;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
};
use tempfile::NamedTempFile;

fn path(data: &DataConfig) -> PathBuf {
    data.data.join("restore-unfinished")
}

/// Records that a restore begins. The file is always complete.
pub fn set(data: &DataConfig, restore: &UnfinishedRestore) -> io::Result<()> {
    fs::create_dir_all(&data.data)?;
    let mut file = NamedTempFile::new_in(&data.data)?;
    writeln!(file, "{restore}")?;
    file.as_file().sync_all()?;
    file.persist(path(data))?;
    File::open(&data.data)?.sync_all()
}

/// The unfinished restore.
pub fn read(data: &DataConfig) -> anyhow::Result<Option<UnfinishedRestore>> {
    let path = path(data);
    match fs::read_to_string(&path) {
        Ok(text) => text.parse().map(Some).with_context(|| format!("reading {}", path.display())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

/// Records that the restore is complete.
pub fn clear(data: &DataConfig) -> io::Result<()> {
    match fs::remove_file(path(data)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
