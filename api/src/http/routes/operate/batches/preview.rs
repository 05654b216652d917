//! POST /operate/batches/preview: says what the withdrawal of a batch would do.

use super::BatchForm;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Body},
    },
    services::tenders::notices::batches,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// What the withdrawal of a batch would do now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchPreview {
    /// The number of notices that would be rejected.
    notices: usize,
    /// The number of those that wait for review.
    waiting: i64,
    /// The number of published tenders that would be withdrawn.
    tenders: usize,
    /// The number of published tenders that stay, because another notice prints them.
    printed_elsewhere: i64,
    /// The number of published tenders that stay, because a supplier owns them.
    owned: i64,
    /// The number of readers who would be mailed.
    readers: usize,
}

/// Preview the withdrawal of a batch
///
/// Notices that are rejected already do not count.
#[utoipa::path(post, path = "/operate/batches/preview", tag = "operate", operation_id = "previewBatch",
request_body = BatchForm, security(("session" = [])), responses(
    (status = 200, description = "What the withdrawal would do", body = Envelope<BatchPreview>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The batch is incomplete, ambiguous or too large", body = FailureBody),
))]
pub async fn preview_batch(
    State(state): State<AppState>,
    _: Administrator,
    Body(form): Body<BatchForm>,
) -> ApiResult<BatchPreview> {
    let found = batches::preview(&state, &form.read()?).await?;
    Ok(Envelope::of(BatchPreview {
        notices: found.notices,
        waiting: found.waiting,
        tenders: found.tenders,
        printed_elsewhere: found.printed_elsewhere,
        owned: found.owned,
        readers: found.readers,
    }))
}
