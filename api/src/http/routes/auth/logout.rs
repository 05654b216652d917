//! POST /auth/logout: ends the sessions of the refresh token and the access token.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{MaybeUser, input},
    },
    services::accounts::session,
    storage::sessions,
};
use axum::{
    RequestExt,
    extract::{Request, State},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// The session to end. The body may be absent.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Logout {
    /// The session's current refresh token.
    refresh_token: Option<String>,
}

/// Sign out
///
/// The request also succeeds without a session, so that a browser can always sign out.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", operation_id = "logout", request_body = Option<Logout>,
responses(
    (status = 200, description = "Signed out", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn logout(State(state): State<AppState>, mut request: Request) -> ApiResult<NoData> {
    // A missing or invalid access token is ignored. Any other error, such as an unavailable database,
    // is reported: otherwise the session would stay open although the user has signed out.
    let caller = match request.extract_parts_with_state::<MaybeUser, _>(&state).await {
        Ok(MaybeUser(caller)) => caller,
        Err(ServiceError::Unauthenticated(_)) => None,
        Err(error) => return Err(error),
    };
    let form: Logout = input::optional_json(request).await?;
    if let Some(token) = form.refresh_token {
        session::end(&state, &token).await?;
    }
    if let Some(caller) = caller {
        sessions::end(&state.db, caller.session, state.clock.now()).await?;
    }
    Ok(Envelope::with_message("Successfully logged out", NoData {}))
}
