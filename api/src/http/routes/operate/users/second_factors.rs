//! DELETE /operate/users/{id}/second-factors: removes the second factors of a user who has lost them.

use super::{OneListedUser, user_response};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
    services::accounts::administration,
};
use axum::extract::State;

/// Remove the second factors of a user
///
/// All sessions of the user end, and the user is notified by mail.
#[utoipa::path(delete, path = "/operate/users/{id}/second-factors", tag = "operate",
operation_id = "resetSecondFactors",
params(("id" = Uuid, Path, description = "The user's id")), security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<OneListedUser>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
    (status = 409, description = "The user is the caller", body = FailureBody),
))]
pub async fn reset_second_factors(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<OneListedUser> {
    administration::reset_second_factors(&state, &actor, id).await?;
    user_response(&state, id).await
}
