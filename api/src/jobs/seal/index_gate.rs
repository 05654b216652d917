//! Decides when messages may be composed from this process's index.

use crate::{app::state::AppState, storage::changes};

/// Keeps messages from being composed while this process's index is being built or is behind the
/// change log. Such a message would lack tenders, and it is composed only once.
#[derive(Debug, Default)]
pub(super) struct IndexGate {
    /// The position that the index had not reached at the last call.
    awaited: Option<i64>,
}

impl IndexGate {
    /// Whether the index has reached the head of the log. While it has not, later calls compare it
    /// with the same position. Otherwise, the index might never be complete while the log grows.
    pub(super) async fn is_open(&mut self, state: &AppState) -> Result<bool, sqlx::Error> {
        let index = *state.progress.index.borrow();
        if !index.ready {
            return Ok(false);
        }
        let head = changes::head(&state.db).await?.position;
        // The log becomes shorter if a backup of the database is restored.
        let wanted = self.awaited.map_or(head, |awaited| awaited.min(head));
        let is_open = index.position >= wanted;
        self.awaited = (!is_open).then_some(wanted);
        Ok(is_open)
    }
}
