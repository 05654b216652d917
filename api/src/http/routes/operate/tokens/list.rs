//! GET /operate/tokens: lists operator tokens.

use super::TokenView;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    storage::operator_tokens,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested tokens.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokensQuery {
    /// Only tokens after the token with this id.
    after: Option<Uuid>,
    /// Only tokens that can be used, or only expired and revoked tokens.
    is_live: Option<bool>,
}

/// A part of the list of operator tokens.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedTokens {
    /// The tokens, newest first.
    tokens: Vec<TokenView>,
    /// Send this id as `after` to read the next part. `null`: there are no more tokens.
    #[schema(required)]
    next: Option<Uuid>,
}

/// The number of tokens in a response.
const PAGE_SIZE: usize = 50;

/// List operator tokens
#[utoipa::path(get, path = "/operate/tokens", tag = "operate", operation_id = "operatorTokens",
params(TokensQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ListedTokens>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_tokens(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<TokensQuery>,
) -> ApiResult<ListedTokens> {
    let now = state.clock.now();
    let mut found =
        operator_tokens::page(&state.db, query.is_live, query.after, PAGE_SIZE as i64 + 1, now).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let tokens = found.into_iter().map(|token| TokenView::new(token, now)).collect();
    Ok(Envelope::of(ListedTokens { tokens, next }))
}
