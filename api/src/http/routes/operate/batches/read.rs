//! GET /operate/batches/{id}: shows the withdrawal of a batch.

use super::{OneWithdrawal, withdrawal_response};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
};
use axum::extract::State;

/// Show the withdrawal of a batch
#[utoipa::path(get, path = "/operate/batches/{id}", tag = "operate", operation_id = "batchWithdrawal",
params(("id" = Uuid, Path, description = "`_id` of the withdrawal")), security(("session" = [])), responses(
    (status = 200, description = "The withdrawal", body = Envelope<OneWithdrawal>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such withdrawal", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_withdrawal(
    State(state): State<AppState>,
    _: Administrator,
    PathId(id): PathId,
) -> ApiResult<OneWithdrawal> {
    withdrawal_response(&state, id).await
}
