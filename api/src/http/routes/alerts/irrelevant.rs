//! PUT and DELETE /alerts/{id}/matches/{tender}/irrelevance: that a tender does not belong where an alert put it.

use super::find;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Ids},
    },
    storage::matches,
};
use axum::extract::State;
use jiff::Timestamp;
use uuid::Uuid;

/// Say that a match is not relevant
#[utoipa::path(put, path = "/alerts/{id}/matches/{tender}/irrelevance", tag = "alerts", operation_id = "markIrrelevant",
params(("id" = Uuid, Path, description = "`_id` of the alert"), ("tender" = Uuid, Path, description = "`_id` of the tender")),
security(("session" = [])), responses(
    (status = 200, description = "Noted", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 404, description = "The caller has no such match", body = FailureBody),
    (status = 422, description = "An id is no UUID", body = FailureBody),
))]
pub async fn mark_irrelevant(
    State(state): State<AppState>,
    caller: CurrentUser,
    Ids(alert, tender): Ids,
) -> Answer<Empty> {
    mark(&state, &caller, (alert, tender), Some(state.clock.now())).await
}

/// Take that back
#[utoipa::path(delete, path = "/alerts/{id}/matches/{tender}/irrelevance", tag = "alerts", operation_id = "markRelevant",
params(("id" = Uuid, Path, description = "`_id` of the alert"), ("tender" = Uuid, Path, description = "`_id` of the tender")),
security(("session" = [])), responses(
    (status = 200, description = "Noted", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 404, description = "The caller has no such match", body = FailureBody),
    (status = 422, description = "An id is no UUID", body = FailureBody),
))]
pub async fn mark_relevant(
    State(state): State<AppState>,
    caller: CurrentUser,
    Ids(alert, tender): Ids,
) -> Answer<Empty> {
    mark(&state, &caller, (alert, tender), None).await
}

async fn mark(
    state: &AppState,
    caller: &CurrentUser,
    of: (Uuid, Uuid),
    at: Option<Timestamp>,
) -> Answer<Empty> {
    find(state, caller, of.0).await?;
    match matches::mark_irrelevant(&state.db, caller.id, of, at).await? {
        true => Ok(Envelope::of(Empty {})),
        false => Err(ServiceError::NotFound("Match")),
    }
}
