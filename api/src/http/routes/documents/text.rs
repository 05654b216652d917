//! GET /tenders/{id}/documents/{document}/text: what a document says, for whoever may have it and has a slow line.

use super::fetch;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Ids, MaybeUser},
    },
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// What a document says.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentText {
    /// Line by line, without the file's looks; tables come out as lines.
    text: String,
}

/// What a document says
///
/// Counts as a download, once a user, document and month.
#[utoipa::path(get, path = "/tenders/{id}/documents/{document}/text", tag = "documents", operation_id = "readDocumentText",
params(("id" = Uuid, Path, description = "`_id` of the tender"), ("document" = Uuid, Path, description = "`_id` of the document")),
security((), ("session" = [])), responses(
    (status = 200, description = "Its text", body = Envelope<DocumentText>),
    (status = 401, description = "The session sent with it has ended", body = FailureBody),
    (status = 403, description = "Locked to this reader, or the plan permits no downloads", body = FailureBody),
    (status = 404, description = "There is none, or no text could be read from it", body = FailureBody),
    (status = 422, description = "An id is no UUID", body = FailureBody),
))]
pub async fn read_document_text(
    State(state): State<AppState>,
    caller: MaybeUser,
    Ids(tender, id): Ids,
) -> Answer<DocumentText> {
    let document = fetch(&state, &caller, tender, id).await?;
    let text = document.text.ok_or(ServiceError::NotFound("The document's text"))?;
    Ok(Envelope::of(DocumentText { text }))
}
