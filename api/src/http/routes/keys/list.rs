//! GET /keys: lists the caller's API keys.

use super::KeyView;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::api_keys,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKeys {
    /// The keys, newest first.
    keys: Vec<KeyView>,
}

/// List API keys
#[utoipa::path(get, path = "/keys", tag = "keys", operation_id = "keys", security(("session" = [])), responses(
    (status = 200, description = "All keys of the caller, without their secrets", body = Envelope<ApiKeys>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn list_keys(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<ApiKeys> {
    let keys = api_keys::of_user(&state.db, caller.id).await?.into_iter().map(KeyView::from).collect();
    Ok(Envelope::of(ApiKeys { keys }))
}
