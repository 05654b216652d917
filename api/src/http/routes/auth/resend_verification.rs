//! POST /auth/resend-verification: sends the confirmation link again.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::accounts::mailed_links::{self, Link},
    storage,
};
use axum::extract::State;

/// Resend the confirmation link
#[utoipa::path(post, path = "/auth/resend-verification", tag = "auth", operation_id = "resendVerification",
security(("session" = [])), responses(
    (status = 200, description = "The mail is queued for sending", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The address is already confirmed", body = FailureBody),
    (status = 429, description = "Too many mails in the last hour", body = FailureBody),
))]
pub async fn resend_verification(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<NoData> {
    if caller.email_verified {
        return Err(ServiceError::Conflict("Your email address is confirmed already".into()));
    }
    let mut tx = storage::begin(&state.db).await?;
    if !mailed_links::send(&state, &mut tx, &caller, Link::Verify).await? {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    tx.commit().await?;
    Ok(Envelope::with_message("A confirmation email is on its way", NoData {}))
}
