//! POST /operate/batches/{id}/undo: starts to undo the withdrawal of a batch.

use super::{OneWithdrawal, withdrawal_response};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
    services::tenders::notices::batches,
};
use axum::extract::State;

/// Undo the withdrawal of a batch
///
/// The notices get back their standing, and the withdrawn tenders are published again under the same
/// ids. Notices that were not yet rejected stay as they are. This takes a while.
#[utoipa::path(post, path = "/operate/batches/{id}/undo", tag = "operate", operation_id = "undoBatchWithdrawal",
params(("id" = Uuid, Path, description = "`_id` of the withdrawal")), security(("session" = [])), responses(
    (status = 200, description = "The undo has started", body = Envelope<OneWithdrawal>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such withdrawal", body = FailureBody),
    (status = 409, description = "The withdrawal is undone already, or was started more than seven days ago",
        body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn undo_withdrawal(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<OneWithdrawal> {
    batches::undo(&state, &actor, id).await?;
    withdrawal_response(&state, id).await
}
