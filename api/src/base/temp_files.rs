//! Temporary files for downloads. A slow client occupies disk space but no memory.

use std::{io, path::PathBuf};
use tokio::{fs::File, task::spawn_blocking};

/// Creates an unnamed file in this folder. The system frees it when it is closed, even after a
/// crash.
pub(crate) async fn create_unnamed(folder: PathBuf) -> io::Result<File> {
    let made = spawn_blocking(move || tempfile::tempfile_in(folder)).await;
    made.map_err(io::Error::other)?.map(File::from_std)
}
