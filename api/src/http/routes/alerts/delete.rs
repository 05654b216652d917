//! DELETE /alerts/{id}: deletes an alert.

use super::find;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::{self, alerts, changes},
};
use axum::extract::State;

/// Delete an alert
///
/// Matches that are still collected for a mail are discarded.
#[utoipa::path(delete, path = "/alerts/{id}", tag = "alerts", operation_id = "deleteAlert",
params(("id" = Uuid, Path, description = "`_id` of the alert")), security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    find(&state, &caller, id).await?;
    let mut tx = storage::begin(&state.db).await?;
    let removed = alerts::remove(&mut tx, caller.id, id, state.clock.now()).await?;
    let revision = removed.ok_or(ServiceError::NotFound("Alert"))?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    Ok(Envelope::with_message("Alert configuration deleted successfully!", NoData {}))
}
