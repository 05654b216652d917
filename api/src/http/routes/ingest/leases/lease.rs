//! PUT and DELETE /ingest/leases/{id}: extends a lease, and gives its page back.

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
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// What a worker knows about the file of its page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HeartbeatForm {
    /// The number of pages of the file, as soon as the worker has opened it. The portal then adds
    /// the further pages.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    page_count: Option<u32>,
}

/// An extended lease.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExtendedLease {
    /// The new end of the lease.
    until: Moment,
}

/// Extend a lease
#[utoipa::path(put, path = "/ingest/leases/{id}", tag = "ingest", operation_id = "extendLease",
params(("id" = Uuid, Path, description = "The id of the lease")),
request_body = HeartbeatForm, security(("operator" = [])), responses(
    (status = 200, description = "The lease continues", body = Envelope<ExtendedLease>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The number of pages is not possible", body = FailureBody),
))]
pub async fn extend_lease(
    State(state): State<AppState>,
    _: Operator<scope::Work>,
    PathId(id): PathId,
    Body(form): Body<HeartbeatForm>,
) -> ApiResult<ExtendedLease> {
    Ok(Envelope::of(ExtendedLease { until: leases::extend(&state, id, form.page_count).await? }))
}

/// Give a page back
///
/// The page waits for a worker and does not count as tried.
#[utoipa::path(delete, path = "/ingest/leases/{id}", tag = "ingest", operation_id = "giveBackPage",
params(("id" = Uuid, Path, description = "The id of the lease")), security(("operator" = [])), responses(
    (status = 200, description = "Another worker can take the page", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn give_back_page(
    State(state): State<AppState>,
    _: Operator<scope::Work>,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    leases::give_back(&state, id).await?;
    Ok(Envelope::of(NoData {}))
}
