//! PUT /auth/change-password: changes the password if the current one is correct, and ends all
//! other sessions.

use crate::{
    app::state::AppState,
    domain::{error::ServiceError, mailed_link::LinkPurpose},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{
        access_withdrawal,
        password_rules::{self, Owner},
        reauthentication,
        second_factors::proof_check,
        security_mails::{self, SecurityEvent},
    },
    storage::{self, mailed_links, second_factors, sessions, users},
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
    /// Whether to delete the API keys and the webhook too, and to change the addresses of feeds.
    #[serde(default)]
    withdraw_access: bool,
}

/// Change the password
///
/// All other sessions end, and a pending change of address is cancelled.
#[utoipa::path(put, path = "/auth/change-password", tag = "auth", operation_id = "changePassword",
request_body = ChangePassword, security(("session" = [])), responses(
    (status = 200, description = "The password was changed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The current password is wrong, the new one is too short or too long, or the \
        second factor was not proved recently", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn change_password(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<ChangePassword>,
) -> ApiResult<NoData> {
    let owner =
        Owner { role: caller.whole_role(), words: [&caller.email, &caller.first_name, &caller.last_name] };
    password_rules::check(&state, owner, "newPassword", &form.new_password)
        .map_err(|error| ServiceError::Invalid(vec![error]))?;
    proof_check::require(&state, (&caller, caller.0.session)).await?;
    let has_short_password = password_rules::is_short_for_staff(&form.new_password);
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
    let mut tx = storage::begin(&state.db).await?;
    let user = proof_check::hold_proved(&state, &mut tx, (&caller, caller.0.session)).await?;
    users::set_password(&mut tx, caller.id, Some(&hash), now).await?;
    mailed_links::revoke(&mut tx, LinkPurpose::Change, caller.id, now).await?;
    sessions::end_others(&mut tx, caller.id, Some(caller.0.session), now).await?;
    sessions::set_has_short_password(&mut tx, caller.0.session, has_short_password).await?;
    second_factors::remove_challenges_of(&mut tx, caller.id).await?;
    second_factors::remove_unfinished_set_ups(&mut tx, caller.id).await?;
    security_mails::seal(&state, &mut tx, &user, SecurityEvent::PasswordChanged).await?;
    if form.withdraw_access {
        access_withdrawal::withdraw(&state, &mut tx, caller.id).await?;
    }
    tx.commit().await?;
    Ok(Envelope::with_message("Your password is changed", NoData {}))
}
