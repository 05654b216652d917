//! PUT and DELETE /operate/tenders/{id}/takedown: takes a tender down, and puts it back.

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

/// Take a published tender down
///
/// The tender is withdrawn. Neither its owner nor a newspaper notice can publish it again. Its owner
/// is mailed with the reason. Users who follow the tender are told that the portal took it down. For
/// a tender that is taken down already, the reason is replaced.
#[utoipa::path(put, path = "/operate/tenders/{id}/takedown", tag = "operate", operation_id = "takeDownTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body = ReasonForm, security(("session" = [])), responses(
    (status = 200, description = "The tender is taken down", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "The tender does not exist", body = FailureBody),
    (status = 409, description = "The tender is a draft, or withdrawn by its publisher", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is missing or too long", body = FailureBody),
))]
pub async fn take_down_tender(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<ReasonForm>,
) -> ApiResult<NoData> {
    moderation::take_down(&state, &actor, id, &form.reason).await?;
    Ok(Envelope::with_message("The tender is taken down", NoData {}))
}

/// Put a tender back that was taken down
///
/// The tender gets its earlier status again. Its owner is mailed.
#[utoipa::path(delete, path = "/operate/tenders/{id}/takedown", tag = "operate", operation_id = "restoreTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "The tender is not taken down", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "The tender does not exist", body = FailureBody),
    (status = 409, description = "The account of the tender's publisher is deleted", body = FailureBody),
))]
pub async fn restore_tender(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    moderation::restore(&state, &actor, id).await?;
    Ok(Envelope::with_message("The tender is public again", NoData {}))
}
