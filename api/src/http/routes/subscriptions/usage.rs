//! GET /subscriptions/user/usage: reads what the caller and the caller's team have used in the
//! current period.

use super::{UsageView, read_usage};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// What the caller and the caller's team have used.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnUsage {
    usage: UsageView,
}

/// Read the usage in the current period
#[utoipa::path(get, path = "/subscriptions/user/usage", tag = "subscriptions", operation_id = "usage",
security(("session" = [])), responses(
    (status = 200, description = "The usage", body = Envelope<OwnUsage>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_own_usage(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<OwnUsage> {
    Ok(Envelope::of(OwnUsage { usage: read_usage(&state, &caller).await? }))
}
