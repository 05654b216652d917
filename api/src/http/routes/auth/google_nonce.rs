//! POST /auth/google/nonce: creates a nonce for a sign-in with Google.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{cookie::SetCookie, envelope::Envelope, error::FailureBody, extract::remember_google_browser},
    services::accounts::{
        google_nonce::{self, GoogleBrowser},
        google_sign_in,
    },
};
use axum::{extract::State, http::HeaderMap};
use serde::Serialize;
use utoipa::ToSchema;

/// A nonce for a sign-in with Google.
#[derive(Debug, Serialize, ToSchema)]
pub struct GoogleNonce {
    /// The nonce, which Google must put into the ID token. It is valid once, for half an hour, and in
    /// the browser that gets this response.
    nonce: String,
}

/// Create a nonce for Google
///
/// The response sets a cookie. Each call with an ID token of Google needs this cookie, and a token that
/// contains such a nonce.
#[utoipa::path(post, path = "/auth/google/nonce", tag = "auth", operation_id = "createGoogleNonce", responses(
    (status = 200, description = "The nonce", body = Envelope<GoogleNonce>),
    (status = 429, description = "Too many requests", body = FailureBody),
    (status = 503, description = "Sign-in with Google is not offered here", body = FailureBody),
))]
pub async fn create_google_nonce(
    State(state): State<AppState>,
    headers: HeaderMap,
    GoogleBrowser(known): GoogleBrowser,
) -> Result<(SetCookie, Envelope<GoogleNonce>), ServiceError> {
    google_sign_in::configured_verifier(state.google.as_deref())?;
    let secret = known.unwrap_or_else(|| state.random.secret());
    let nonce = google_nonce::issue(&state, &secret);
    Ok((remember_google_browser(&headers, &state, &secret), Envelope::of(GoogleNonce { nonce })))
}
