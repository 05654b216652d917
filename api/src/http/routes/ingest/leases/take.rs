//! POST /ingest/leases: gives a page to a worker.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, Operator, scope},
    },
    services::newspaper_pages::leases,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::{page_reading::PageTask, vocabulary::Moment};
use utoipa::ToSchema;

/// A worker's demand for a page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeaseForm {
    /// The name of the worker, which operators see.
    worker: String,
    /// Whether the worker knows `boxes` of a page. A page with boxes waits for such a worker.
    #[serde(default)]
    reads_boxes: bool,
}

/// The page of a lease.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenPage {
    /// The page. `null`: no page waits; ask again later.
    #[schema(required)]
    page: Option<PageTask>,
    /// From when the operator token is refused. `null`: it does not expire.
    #[schema(required)]
    token_expires_at: Option<Moment>,
}

/// Take a page to read
///
/// The page belongs to the worker until the lease ends. A page whose lease has ended goes to another
/// worker. After three attempts without a result, a page is set aside.
#[utoipa::path(post, path = "/ingest/leases", tag = "ingest", operation_id = "takePage",
request_body = LeaseForm, security(("operator" = [])), responses(
    (status = 200, description = "The page, if one waits", body = Envelope<TakenPage>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name of the worker is missing or too long", body = FailureBody),
))]
pub async fn take_page(
    State(state): State<AppState>,
    operator: Operator<scope::Work>,
    Body(form): Body<LeaseForm>,
) -> ApiResult<TakenPage> {
    let page = leases::take(&state, &form.worker, form.reads_boxes).await?;
    Ok(Envelope::of(TakenPage { page, token_expires_at: operator.expires_at.map(Moment::new) }))
}
