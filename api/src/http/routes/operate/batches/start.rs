//! POST /operate/batches: starts to withdraw a batch.

use super::{BatchForm, OneWithdrawal, withdrawal_response};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Administrator, Body},
    },
    services::tenders::notices::batches,
};
use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

/// A batch to withdraw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawalForm {
    /// The batch.
    batch: BatchForm,
    /// The reason, in one line of at most 500 characters. Readers do not see it.
    #[schema(max_length = 500)]
    reason: String,
    /// The number of notices in the preview.
    notices: usize,
}

/// Withdraw a batch
///
/// Each notice of the batch is rejected. A tender that no other notice prints and no supplier owns is
/// withdrawn. Then each reader who was mailed about a withdrawn tender is mailed once. This takes a
/// while.
#[utoipa::path(post, path = "/operate/batches", tag = "operate", operation_id = "withdrawBatch",
request_body = WithdrawalForm, security(("session" = [])), responses(
    (status = 201, description = "The withdrawal has started", body = Envelope<OneWithdrawal>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such file", body = FailureBody),
    (status = 409, description = "The batch is empty, or has changed since the preview", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is missing or too long, or the batch is incomplete, ambiguous or too large",
        body = FailureBody),
))]
pub async fn withdraw_batch(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    Body(form): Body<WithdrawalForm>,
) -> Result<(StatusCode, Envelope<OneWithdrawal>), ServiceError> {
    let batch = form.batch.read()?;
    let id = batches::start(&state, &actor, &batch, &form.reason, form.notices).await?;
    Ok((StatusCode::CREATED, withdrawal_response(&state, id).await?))
}
