//! DELETE /operate/tokens/{id}: revokes an operator token.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
    services::accounts::operator_tokens,
};
use axum::extract::State;

/// Revoke an operator token
#[utoipa::path(delete, path = "/operate/tokens/{id}", tag = "operate", operation_id = "revokeOperatorToken",
params(("id" = Uuid, Path, description = "`_id` of the token")), security(("session" = [])), responses(
    (status = 200, description = "The token is revoked", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such token", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn revoke_token(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    operator_tokens::revoke(&state.db, &state.clock, &actor, id).await?;
    Ok(Envelope::with_message("Operator token revoked", NoData {}))
}
