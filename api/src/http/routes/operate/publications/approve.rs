//! POST /operate/publications/{id}/approval: publishes a tender that waits for a check.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
    },
    services::tenders::moderation,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// What the administrator has read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalForm {
    /// The revision of the tender. A later one is not published unread.
    revision: i64,
}

/// Publish a tender that waits for a check
///
/// The other waiting tenders of its publisher are published too, and the publisher's later tenders
/// are published at once. The publisher is mailed.
#[utoipa::path(post, path = "/operate/publications/{id}/approval", tag = "operate",
operation_id = "approvePublication",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body = ApprovalForm, security(("session" = [])), responses(
    (status = 200, description = "The tender is published", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "No such tender waits for a check", body = FailureBody),
    (status = 409, description = "The tender has changed, its closing has passed, or its publisher may not \
        publish", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The revision is missing", body = FailureBody),
))]
pub async fn approve_publication(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<ApprovalForm>,
) -> ApiResult<NoData> {
    moderation::approve(&state, &actor, id, form.revision).await?;
    Ok(Envelope::with_message("The tender is published", NoData {}))
}
