//! DELETE /tenders/{id}/documents/{document}: detaches a file from the caller's tender.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CallerAddress, CurrentUser, PathIds},
    },
    services::tenders::{attachments, publishing::Editor},
};
use axum::extract::State;

/// Detach a document from a tender
///
/// The request also succeeds if the document is already detached.
#[utoipa::path(delete, path = "/tenders/{id}/documents/{document}", tag = "documents", operation_id = "removeDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender"),
("document" = Uuid, Path, description = "`_id` of the document")),
security(("session" = [])), responses(
    (status = 200, description = "The document is detached", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The tender belongs to another account", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit changes", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn remove_document(
    State(state): State<AppState>,
    caller: CurrentUser,
    CallerAddress(address): CallerAddress,
    PathIds(tender, id): PathIds,
) -> ApiResult<NoData> {
    attachments::detach(&state, Editor { user: &caller, address }, tender, id).await?;
    Ok(Envelope::with_message("Document removed", NoData {}))
}
