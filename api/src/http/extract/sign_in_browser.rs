//! The browser of a sign-in: its user agent, and the session that it had before.

use crate::{
    app::state::AppState,
    http::extract::bearer,
    services::accounts::{
        access_token,
        session::{SignInBrowser, UserAgent},
    },
};
use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use std::convert::Infallible;

impl FromRequestParts<AppState> for SignInBrowser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        // Without a valid access token, there is no session to end.
        let claims = bearer(&parts.headers)
            .and_then(|token| access_token::read(&state.signing_key, token, state.clock.now()));
        let earlier_session = claims.map(|claims| claims.session);
        Ok(Self { user_agent: UserAgent::new(agent), earlier_session })
    }
}
