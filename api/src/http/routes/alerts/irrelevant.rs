//! PUT and DELETE /alerts/{id}/matches/{tender}/irrelevance: marks a match as irrelevant, or
//! removes the mark.

use super::find;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathIds},
    },
    storage::matches,
};
use axum::extract::State;
use jiff::Timestamp;
use uuid::Uuid;

/// Mark a match as irrelevant
#[utoipa::path(put, path = "/alerts/{id}/matches/{tender}/irrelevance", tag = "alerts", operation_id = "markIrrelevant",
params(("id" = Uuid, Path, description = "`_id` of the alert"),
("tender" = Uuid, Path, description = "`_id` of the tender")),
security(("session" = [])), responses(
    (status = 200, description = "Recorded", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such match", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn mark_irrelevant(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(alert, tender): PathIds,
) -> ApiResult<NoData> {
    set_irrelevance(&state, &caller, (alert, tender), Some(state.clock.now())).await
}

/// Unmark an irrelevant match
#[utoipa::path(delete, path = "/alerts/{id}/matches/{tender}/irrelevance", tag = "alerts", operation_id = "markRelevant",
params(("id" = Uuid, Path, description = "`_id` of the alert"),
("tender" = Uuid, Path, description = "`_id` of the tender")),
security(("session" = [])), responses(
    (status = 200, description = "Recorded", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such match", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn mark_relevant(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(alert, tender): PathIds,
) -> ApiResult<NoData> {
    set_irrelevance(&state, &caller, (alert, tender), None).await
}

async fn set_irrelevance(
    state: &AppState,
    caller: &CurrentUser,
    (alert, tender): (Uuid, Uuid),
    at: Option<Timestamp>,
) -> ApiResult<NoData> {
    find(state, caller, alert).await?;
    match matches::mark_irrelevant(&state.db, caller.id, (alert, tender), at).await? {
        true => Ok(Envelope::of(NoData {})),
        false => Err(ServiceError::NotFound("Match")),
    }
}
