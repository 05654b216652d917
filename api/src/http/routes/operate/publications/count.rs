//! GET /operate/publications/count: counts the tenders that wait for a check.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Administrator,
    },
    storage::moderation,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The number of waiting tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldPublicationCount {
    /// The number of tenders that wait for a check.
    waiting: i64,
}

/// Count the tenders that wait for a check
#[utoipa::path(get, path = "/operate/publications/count", tag = "operate", operation_id = "countHeldPublications",
security(("session" = [])), responses(
    (status = 200, description = "The number", body = Envelope<HeldPublicationCount>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
))]
pub async fn count_held_publications(
    State(state): State<AppState>,
    _: Administrator,
) -> ApiResult<HeldPublicationCount> {
    Ok(Envelope::of(HeldPublicationCount { waiting: moderation::count_held(&state.db).await? }))
}
