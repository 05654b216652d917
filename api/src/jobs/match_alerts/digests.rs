//! Adds items to the open messages of alerts.

use crate::{
    app::state::AppState,
    domain::seal_time,
    storage::digest_queue::{self, ItemToCollect, NewItem},
};
use jiff::Timestamp;
use sqlx::PgConnection;

/// Adds each item to the open message of its alert, and opens the message if necessary.
pub(super) async fn add_to_digests(
    state: &AppState,
    tx: &mut PgConnection,
    items: &[NewItem],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (quiet, limit) = state.config.mail.collection_times();
    let collecting = items.iter().map(|item| ItemToCollect {
        item,
        id: state.random.id(&state.clock),
        seal_at: seal_time::seal_at(item.frequency, now, item.daily_summary_time, quiet),
    });
    digest_queue::collect(tx, &collecting.collect::<Vec<_>>(), now, limit).await
}
