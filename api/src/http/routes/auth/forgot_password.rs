//! POST /auth/forgot-password: requests a link to reset the password. The request is only stored,
//! and a job sends the mail. The response and its timing are therefore the same for unknown
//! addresses.

use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        validation::Email,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::Body,
    },
    storage::mailed_links,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The account whose password is to be reset.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ForgotPassword {
    /// The account's address.
    #[schema(format = Email, max_length = 254)]
    email: String,
}

/// Request a password reset link
#[utoipa::path(post, path = "/auth/forgot-password", tag = "auth", operation_id = "forgotPassword",
request_body = ForgotPassword, responses(
    (status = 200, description = "If the account exists, a link will be sent", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The address is invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn forgot_password(
    State(state): State<AppState>,
    Body(form): Body<ForgotPassword>,
) -> ApiResult<NoData> {
    let email: Email = form
        .email
        .parse()
        .map_err(|message: &str| ServiceError::Invalid(vec![FieldError::new("email", message)]))?;
    let id = state.random.id(&state.clock);
    mailed_links::insert_password_request(&state.db, id, email.as_str(), state.clock.now()).await?;
    Ok(Envelope::with_message(
        "If an account with that email exists, a reset link is on its way to it",
        NoData {},
    ))
}
