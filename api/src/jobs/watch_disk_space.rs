//! Warns in the log when the disk of the data folder has little room, and when it has room again.

use crate::{
    app::state::AppState,
    clients::disk_space::{DiskRoom, DiskSpace},
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause between two measurements.
const INTERVAL: Duration = Duration::from_mins(1);

/// Measures the free space until stopped.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let space = DiskSpace::new(&state.config);
    let mut before = DiskRoom::Enough;
    loop {
        let (room, free_mib) = (space.room(), space.free().unwrap_or_default() >> 20);
        match room {
            _ if room == before => {}
            DiskRoom::None => {
                tracing::error!(free_mib, "the disk of the data folder is nearly full; uploads are refused");
            }
            DiskRoom::Little => tracing::warn!(free_mib, "the disk of the data folder has little room"),
            DiskRoom::Enough => tracing::info!(free_mib, "the disk of the data folder has enough room again"),
        }
        before = room;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}
