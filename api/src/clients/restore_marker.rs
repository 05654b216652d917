//! A file in the data folder that records an unfinished restore. While it exists, no server starts.

use crate::base::config::DataConfig;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
};

fn path(data: &DataConfig) -> PathBuf {
    data.data.join("restore-unfinished")
}

/// Records that the restore of a backup begins.
pub fn set(data: &DataConfig, backup: &str) -> io::Result<()> {
    fs::create_dir_all(&data.data)?;
    let mut file = File::create(path(data))?;
    writeln!(file, "{backup}")?;
    file.sync_all()
}

/// The backup whose restore is unfinished.
pub fn read(data: &DataConfig) -> io::Result<Option<String>> {
    match fs::read_to_string(path(data)) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Records that the restore is complete.
pub fn clear(data: &DataConfig) -> io::Result<()> {
    match fs::remove_file(path(data)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
