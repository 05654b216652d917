//! How far the index is behind the database. An index that is being built lacks most tenders.

use crate::{app::context::Context, storage::changes};
use sqlx::PgConnection;

/// The maximum number of changes that the index may lack when a notice is compared with all tenders. The
/// tenders of these changes are read from the database.
pub const MAX_MISSING_CHANGES: i64 = 300;

/// Returns the index's position in the change log, from which on tenders must be read from the database.
/// `None`: the index lacks more than [`MAX_MISSING_CHANGES`] changes.
pub async fn recent_position(context: &Context, tx: &mut PgConnection) -> Result<Option<i64>, sqlx::Error> {
    let position = context.search_engine.position().map_or(0, |at| at.position);
    let missing = changes::head(tx).await?.position - position;
    Ok((missing <= MAX_MISSING_CHANGES).then_some(position))
}
