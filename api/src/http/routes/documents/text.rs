//! GET /tenders/{id}/documents/{document}/text: reads the text of a document. The text is
//! smaller than the file, which helps on slow connections.

use super::authorise_download;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{MaybeUser, PathIds},
    },
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The text of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentText {
    /// The text line by line, without formatting. Table rows become lines.
    text: String,
}

/// Read a document's text
///
/// The request counts as a download, once per user, document and period.
#[utoipa::path(get, path = "/tenders/{id}/documents/{document}/text", tag = "documents", operation_id = "readDocumentText",
params(("id" = Uuid, Path, description = "`_id` of the tender"),
("document" = Uuid, Path, description = "`_id` of the document")),
security((), ("session" = [])), responses(
    (status = 200, description = "The document's text", body = Envelope<DocumentText>),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The tender is locked for this user, or the plan includes no downloads",
        body = FailureBody),
    (status = 404, description = "Not found, or the document has no readable text", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn read_document_text(
    State(state): State<AppState>,
    caller: MaybeUser,
    PathIds(tender, id): PathIds,
) -> ApiResult<DocumentText> {
    let document = authorise_download(&state, &caller, tender, id).await?;
    let text = document.text.ok_or(ServiceError::NotFound("The document's text"))?;
    Ok(Envelope::of(DocumentText { text }))
}
