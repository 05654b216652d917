//! PUT /ingest/leases/{id}/failure: reports that a page could not be read.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, Operator, PathId, scope},
    },
    services::newspaper_pages::leases,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Why a page could not be read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PageFailure)]
pub struct FailureForm {
    /// The reason, which operators see. A long reason is shortened.
    reason: String,
}

/// Report that a page could not be read
///
/// The page is tried again after a while. After three attempts, it is set aside.
#[utoipa::path(put, path = "/ingest/leases/{id}/failure", tag = "ingest", operation_id = "failPage",
params(("id" = Uuid, Path, description = "The id of the lease")),
request_body = FailureForm, security(("operator" = [])), responses(
    (status = 200, description = "The failure was recorded, and the lease has ended", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is missing", body = FailureBody),
))]
pub async fn fail_page(
    State(state): State<AppState>,
    _: Operator<scope::Work>,
    PathId(id): PathId,
    Body(form): Body<FailureForm>,
) -> ApiResult<NoData> {
    leases::fail(&state, id, &form.reason).await?;
    Ok(Envelope::of(NoData {}))
}
