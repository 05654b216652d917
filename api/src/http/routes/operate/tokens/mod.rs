//! Routes with which administrators manage operator tokens.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use crate::domain::operator_token::{OperatorToken, TokenScope, TokenState};
use jiff::Timestamp;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// An operator token without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OperatorToken)]
pub struct TokenView {
    /// The token's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name.
    name: String,
    /// What the token permits.
    scopes: Vec<TokenScope>,
    /// Whether the token can be used.
    state: TokenState,
    /// When the token was created.
    created_at: Moment,
    /// From when the token is refused. `null`: it does not expire.
    #[schema(required)]
    expires_at: Option<Moment>,
    /// When the token was last used, to the minute. `null`: it was never used.
    #[schema(required)]
    last_used_at: Option<Moment>,
    /// When the token was revoked.
    #[schema(required)]
    revoked_at: Option<Moment>,
}

impl TokenView {
    fn new(token: OperatorToken, now: Timestamp) -> Self {
        Self {
            state: token.state(now),
            id: token.id,
            name: token.name,
            scopes: token.scopes,
            created_at: Moment::new(token.created_at),
            expires_at: token.expires_at.map(Moment::new),
            last_used_at: token.last_used_at.map(Moment::new),
            revoked_at: token.revoked_at.map(Moment::new),
        }
    }
}
