//! Temporary files for downloads. They let a slow client occupy disk space instead of memory.

use std::{io, path::PathBuf};
use tokio::{fs::File, task::spawn_blocking};

/// Creates an unnamed file in this folder. The operating system deletes the file when it is
/// closed, even after a crash.
pub(crate) async fn create_unnamed(folder: PathBuf) -> io::Result<File> {
    let made = spawn_blocking(move || tempfile::tempfile_in(folder)).await;
    made.map_err(io::Error::other)?.map(File::from_std)
}
