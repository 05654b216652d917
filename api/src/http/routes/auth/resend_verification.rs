//! POST /auth/resend-verification: mails the link that confirms the caller's address once more.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, rate_limit::SignInLimit},
    },
    services::accounts::mailed_links::{self, Link},
};
use axum::extract::State;

/// Send the link that confirms the address again
#[utoipa::path(post, path = "/auth/resend-verification", tag = "auth", operation_id = "resendVerification",
security(("session" = [])), responses(
    (status = 200, description = "On its way", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The address is confirmed already", body = FailureBody),
    (status = 429, description = "Several were sent in the last hour", body = FailureBody),
))]
pub async fn resend_verification(
    _: SignInLimit,
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Answer<Empty> {
    if caller.email_verified {
        return Err(ServiceError::Conflict("Your email address is confirmed already".into()));
    }
    let mut tx = state.db.begin().await?;
    if !mailed_links::send(&state, &mut tx, &caller, Link::Verify).await? {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    tx.commit().await?;
    Ok(Envelope::saying("A confirmation email is on its way", Empty {}))
}
