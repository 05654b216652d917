//! Temporary files that are read once: a slow reader occupies disk space, but no memory.

use std::{io, path::PathBuf};
use tokio::{fs::File, task::spawn_blocking};

/// An empty file without a name in this folder. The system frees it when it is closed, however the process ends.
///
/// # Errors
/// When the file can't be made.
pub(crate) async fn nameless(folder: PathBuf) -> io::Result<File> {
    let made = spawn_blocking(move || tempfile::tempfile_in(folder)).await;
    made.map_err(io::Error::other)?.map(File::from_std)
}
