//! POST /auth/refresh: exchanges a refresh token for new tokens.

use super::Session;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Body,
    },
    services::accounts::session,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The token to exchange.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refresh {
    /// The session's current refresh token.
    refresh_token: String,
}

/// Exchange a refresh token
///
/// A token can be exchanged once. For thirty seconds after that, a repeated exchange gets the same
/// refresh token. Later reuse ends the session.
#[utoipa::path(post, path = "/auth/refresh", tag = "auth", operation_id = "refresh",
request_body = Refresh, responses(
    (status = 200, description = "The new tokens", body = Envelope<Session>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "The token is unknown, expired or already used, or its session was signed out",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is missing", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn refresh(State(state): State<AppState>, Body(request): Body<Refresh>) -> ApiResult<Session> {
    let exchanged = session::exchange(&state, &request.refresh_token).await?;
    let (tokens, user) = exchanged
        .ok_or(ServiceError::Unauthenticated("Your session has ended. Please log in again to continue."))?;
    Ok(Envelope::of(Session::new(tokens, user)))
}
