//! POST /operate/tokens: creates an operator token and shows it once.

use super::TokenView;
use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        operator_token::{DEFAULT_LIFETIME_DAYS, TokenRequest, TokenScope},
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Administrator, Body},
    },
    services::accounts::operator_tokens,
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// An operator token to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OperatorTokenForm {
    /// The token's name, 1 to 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// What the token permits, at least one scope.
    #[schema(min_items = 1)]
    scopes: BTreeSet<TokenScope>,
    /// After how many days the token expires. `null`: never.
    #[serde(default = "default_lifetime")]
    #[schema(minimum = 1, maximum = 3650, default = 365)]
    expires_in_days: Option<u32>,
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
const fn default_lifetime() -> Option<u32> {
    Some(DEFAULT_LIFETIME_DAYS)
}

/// A created operator token.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewOperatorToken {
    /// The token's description, without the secret.
    token: TokenView,
    /// The token to send as a bearer token. It is not stored and never shown again.
    secret: String,
}

/// Create an operator token
#[utoipa::path(post, path = "/operate/tokens", tag = "operate", operation_id = "createOperatorToken",
request_body = OperatorTokenForm, security(("session" = [])), responses(
    (status = 201, description = "The new token. Its secret is returned only this once",
        body = Envelope<NewOperatorToken>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name, the scopes or the expiry are invalid", body = FailureBody),
))]
pub async fn create_token(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    Body(form): Body<OperatorTokenForm>,
) -> Result<(StatusCode, Envelope<NewOperatorToken>), ServiceError> {
    let request = TokenRequest { name: form.name, scopes: form.scopes, lifetime_days: form.expires_in_days };
    let (token, secret) =
        operator_tokens::create(&state.db, (&state.clock, &state.random), &actor, request).await?;
    let created = NewOperatorToken { token: TokenView::new(token, state.clock.now()), secret };
    Ok((StatusCode::CREATED, Envelope::with_message("Operator token created", created)))
}
