//! POST /auth/verify-email: confirms the address that a link was mailed to.

use crate::{
    auth::secret_hash,
    db::{
        mailed_links::{self, Purpose},
        users,
    },
    edge::{Answer, Body, Empty, Envelope, limit::SignInLimit},
    error::{ApiError, FailureBody, FieldError},
    state::AppState,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The link's token.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VerifyEmail {
    /// As it stands in the link.
    token: String,
}

/// Confirm an address
///
/// The link opens nothing else, so that it needs no sign-in.
#[utoipa::path(post, path = "/auth/verify-email", tag = "auth", operation_id = "verifyEmail", request_body = VerifyEmail, responses(
    (status = 200, description = "Confirmed", body = Envelope<Empty>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "The link is used, too old, or none of ours", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn verify_email(
    _: SignInLimit,
    State(state): State<AppState>,
    Body(form): Body<VerifyEmail>,
) -> Answer<Empty> {
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    let taken = mailed_links::take(&mut tx, Purpose::Verify, &secret_hash(&form.token), now).await?;
    let (user_id, email) = taken.ok_or_else(|| {
        let message = "This link is not valid any more. Sign in to have another one sent.";
        ApiError::Invalid(vec![FieldError::new("token", message)])
    })?;
    users::verify_address(&mut tx, user_id, &email, now).await?;
    tx.commit().await?;
    Ok(Envelope::saying("Your email address is confirmed", Empty {}))
}
