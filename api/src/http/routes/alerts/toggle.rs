//! PATCH /alerts/{id}/toggle: switches an alert on or off.

use super::{OneAlert, find, view};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::{self, alerts, changes},
};
use axum::extract::State;

/// Switch an alert on or off
///
/// An alert that is switched on does not match tenders that were published while it was off.
#[utoipa::path(patch, path = "/alerts/{id}/toggle", tag = "alerts", operation_id = "toggleAlert",
params(("id" = Uuid, Path, description = "`_id` of the alert")), security(("session" = [])), responses(
    (status = 200, description = "The alert in its new state", body = Envelope<OneAlert>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn toggle_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<OneAlert> {
    find(&state, &caller, id).await?;
    let mut tx = storage::begin(&state.db).await?;
    let toggled = alerts::toggle(&mut tx, caller.id, id, state.clock.now()).await?;
    let (revision, is_active) = toggled.ok_or(ServiceError::NotFound("Alert"))?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    let message = if is_active { "Alert activated successfully!" } else { "Alert deactivated successfully!" };
    let alert = view(&state, &caller, id).await?;
    Ok(Envelope::with_message(message, OneAlert { alert }))
}
