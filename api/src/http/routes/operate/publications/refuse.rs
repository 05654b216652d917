//! POST /operate/publications/{id}/refusal: refuses to publish a tender that waits for a check.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
        routes::operate::ReasonForm,
    },
    services::tenders::moderation,
};
use axum::extract::State;

/// Refuse to publish a tender that waits for a check
///
/// The tender becomes a draft again. The publisher is mailed with the reason, and can correct the
/// tender and submit it again.
#[utoipa::path(post, path = "/operate/publications/{id}/refusal", tag = "operate",
operation_id = "refusePublication",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body = ReasonForm, security(("session" = [])), responses(
    (status = 200, description = "The tender is a draft", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "No such tender waits for a check", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is missing or too long", body = FailureBody),
))]
pub async fn refuse_publication(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<ReasonForm>,
) -> ApiResult<NoData> {
    moderation::refuse(&state, &actor, id, &form.reason).await?;
    Ok(Envelope::with_message("The publication is refused", NoData {}))
}
