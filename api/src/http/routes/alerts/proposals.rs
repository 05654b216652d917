//! GET /alerts/{id}/proposals: what broader versions of an alert would have found.

use super::find;
use crate::{
    app::state::AppState,
    clients::search_engine::service_error,
    domain::alert::SILENT_DAYS,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::alerts::{proposals::Proposal, silence},
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Broader versions of an alert.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertProposals {
    /// The number of days that were counted, until today.
    days: u16,
    /// At most three versions that would have matched more.
    proposals: Vec<Proposal>,
}

/// List broader versions of an alert
///
/// Each tender of the last sixty days is checked with its current content, but as open and at the time of
/// its publication.
#[utoipa::path(get, path = "/alerts/{id}/proposals", tag = "alerts", operation_id = "alertProposals",
params(("id" = Uuid, Path, description = "`_id` of the alert")), security(("session" = [])), responses(
    (status = 200, description = "The proposals", body = Envelope<AlertProposals>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
    (status = 429, description = "Too many previews or proposals in a minute", body = FailureBody),
))]
pub async fn list_alert_proposals(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<AlertProposals> {
    let query = find(&state, &caller, id).await?.alert.query;
    state.limits.try_acquire_preview(caller.id).await?;
    let proposals = silence::broader_versions(&state, &query).await.map_err(service_error)?;
    Ok(Envelope::of(AlertProposals { days: SILENT_DAYS, proposals }))
}
