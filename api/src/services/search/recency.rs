//! How far the index is behind the database. An index that is being built lacks most tenders.

use crate::{app::context::Context, domain::error::ServiceError, storage::changes};
use sqlx::PgConnection;

/// The maximum number of changes that the index may lack when a notice is compared with all tenders. The
/// tenders of these changes are read from the database.
pub const MAX_MISSING_CHANGES: i64 = 300;

/// Returns the index's position in the change log, from which on tenders must be read from the database.
///
/// # Errors
///
/// 503 if the index lacks more than [`MAX_MISSING_CHANGES`] changes.
pub async fn recent_position(context: &Context, tx: &mut PgConnection) -> Result<i64, ServiceError> {
    let position = context.index_store.position().map_or(0, |at| at.position);
    if changes::head(tx).await?.position - position > MAX_MISSING_CHANGES {
        return Err(ServiceError::Busy(
            "The portal is building its search index. Please try again in a moment.",
        ));
    }
    Ok(position)
}

/// Whether notices can be compared with all tenders now.
pub async fn is_recent(context: &Context, tx: &mut PgConnection) -> Result<bool, ServiceError> {
    match recent_position(context, tx).await {
        Ok(_) => Ok(true),
        Err(ServiceError::Busy(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
