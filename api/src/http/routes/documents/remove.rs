//! DELETE /tenders/{id}/documents/{document}: takes a file off a tender of the caller's own.

use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Ids},
    },
};
use axum::extract::State;

/// Take a document off a tender
///
/// One that is off already is no failure.
#[utoipa::path(delete, path = "/tenders/{id}/documents/{document}", tag = "documents", operation_id = "removeDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender"), ("document" = Uuid, Path, description = "`_id` of the document")),
security(("session" = [])), responses(
    (status = 200, description = "It is off", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Another's tender", body = FailureBody),
    (status = 404, description = "There is no such tender, or it is not for this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit it", body = FailureBody),
    (status = 422, description = "An id is no UUID", body = FailureBody),
))]
pub async fn remove_document(
    State(state): State<AppState>,
    caller: CurrentUser,
    Ids(tender, id): Ids,
) -> Answer<Empty> {
    crate::services::tenders::attachments::detach(&state, &caller, tender, id).await?;
    Ok(Envelope::saying("Document removed", Empty {}))
}
