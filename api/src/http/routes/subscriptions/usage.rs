//! GET /subscriptions/user/usage: what the caller has used in the running period.

use super::{UsageView, used};
use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// What is used.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnUsage {
    usage: UsageView,
}

/// What the caller has used in the running period
#[utoipa::path(get, path = "/subscriptions/user/usage", tag = "subscriptions", operation_id = "usage",
security(("session" = [])), responses(
    (status = 200, description = "The figures", body = Envelope<OwnUsage>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn usage(State(state): State<AppState>, caller: CurrentUser) -> Answer<OwnUsage> {
    Ok(Envelope::of(OwnUsage { usage: used(&state, &caller).await? }))
}
