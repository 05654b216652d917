//! Files that are made to be read once: so that a slow reader holds nothing but a place on the disk.

use crate::app::state::AppState;
use tokio::fs::{self, File};

/// An empty file in the data folder that has no name any more: it is gone when it is closed, however the process ends.
///
/// # Errors
/// When the disk fails.
pub(crate) async fn nameless(state: &AppState) -> std::io::Result<File> {
    let path = state.config.data.data.join(format!("scratch-{}", state.random.id(&state.clock).simple()));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let file = options.open(&path).await?;
    fs::remove_file(&path).await?;
    Ok(file)
}
