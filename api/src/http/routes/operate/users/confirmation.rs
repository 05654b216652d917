//! POST /operate/users/{id}/confirmation: mails the confirmation link of a user again.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
    services::accounts::administration,
};
use axum::extract::State;

/// Mail a user's confirmation link again
#[utoipa::path(post, path = "/operate/users/{id}/confirmation", tag = "operate",
operation_id = "resendConfirmation",
params(("id" = Uuid, Path, description = "The user's id")), security(("session" = [])), responses(
    (status = 200, description = "The mail is queued for sending", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
    (status = 409, description = "The address is already confirmed", body = FailureBody),
    (status = 429, description = "Too many mails in the last hour", body = FailureBody),
))]
pub async fn resend_confirmation(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    administration::resend_confirmation(&state, &actor, id).await?;
    Ok(Envelope::with_message("A confirmation email is on its way", NoData {}))
}
