//! GET /operate/coverage/count: counts today's gaps.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Reviewer,
    },
    services::coverage::overview,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// The number of today's gaps.
#[derive(Debug, Serialize, ToSchema)]
pub struct GapCount {
    /// The number of newspapers of which nothing was read by their hour today.
    gaps: usize,
}

/// Count today's missing newspapers
#[utoipa::path(get, path = "/operate/coverage/count", tag = "operate", operation_id = "coverageGapCount",
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The number of gaps", body = Envelope<GapCount>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
))]
pub async fn count_coverage_gaps(State(state): State<AppState>, _: Reviewer) -> ApiResult<GapCount> {
    let today = Moment::new(state.clock.now()).day();
    let gaps = overview::count_gaps(&state, today).await?;
    Ok(Envelope::of(GapCount { gaps }))
}
