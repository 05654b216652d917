//! GET /alerts/{id}: reads one alert of the caller.

use super::{OneAlert, view};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
};
use axum::extract::State;

/// Read an alert
#[utoipa::path(get, path = "/alerts/{id}", tag = "alerts", operation_id = "alert",
params(("id" = Uuid, Path, description = "`_id` of the alert")), security(("session" = [])), responses(
    (status = 200, description = "The alert", body = Envelope<OneAlert>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<OneAlert> {
    Ok(Envelope::of(OneAlert { alert: view(&state, &caller, id).await? }))
}
