//! PUT /auth/change-password: changes the password if the current one is correct, and ends all
//! other sessions.

use super::check_password;
use crate::{
    app::state::AppState,
    domain::mailed_link::LinkPurpose,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::reauthentication,
    storage::{mailed_links, refresh_tokens, users},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The current password and the new one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// The current password.
    #[schema(format = Password)]
    current_password: String,
    /// The new password, at least 6 characters.
    #[schema(format = Password, min_length = 6, max_length = 256)]
    new_password: String,
}

/// Change the password
///
/// All other sessions end, and a pending change of address is cancelled.
#[utoipa::path(put, path = "/auth/change-password", tag = "auth", operation_id = "changePassword",
request_body = ChangePassword, security(("session" = [])), responses(
    (status = 200, description = "The password was changed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The current password is wrong, or the new one is too short or too long",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn change_password(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<ChangePassword>,
) -> ApiResult<NoData> {
    check_password("newPassword", &form.new_password)?;
    let wrong = "Wrong password";
    reauthentication::check_password(
        state.credentials(),
        (&caller, caller.0.session),
        form.current_password,
        "currentPassword",
        wrong,
    )
    .await?;
    let hash = state.passwords.hash(form.new_password).await?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    users::set_password(&mut tx, caller.id, Some(&hash), now).await?;
    mailed_links::revoke(&mut tx, LinkPurpose::Change, caller.id, now).await?;
    refresh_tokens::revoke_others(&mut tx, caller.id, Some(caller.0.session), now).await?;
    tx.commit().await?;
    Ok(Envelope::with_message("Your password is changed", NoData {}))
}
