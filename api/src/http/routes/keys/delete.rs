//! DELETE /keys/{id}: revokes an API key.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::api_keys,
};
use axum::extract::State;

/// Revoke an API key
#[utoipa::path(delete, path = "/keys/{id}", tag = "keys", operation_id = "deleteKey",
params(("id" = Uuid, Path, description = "`_id` of the key")), security(("session" = [])), responses(
    (status = 200, description = "The key is revoked", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such key", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_key(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    match api_keys::remove(&state.db, caller.id, id).await? {
        true => Ok(Envelope::with_message("API key withdrawn", NoData {})),
        false => Err(ServiceError::NotFound("API key")),
    }
}
