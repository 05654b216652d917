//! GET /tenders/{id}/documents/{document}/text: the text of a document, for slow connections.

use super::fetch;
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
    /// Line by line, without formatting; tables become lines.
    text: String,
}

/// Read a document's text
///
/// Counts as a download, once per user, document and month.
#[utoipa::path(get, path = "/tenders/{id}/documents/{document}/text", tag = "documents", operation_id = "readDocumentText",
params(("id" = Uuid, Path, description = "`_id` of the tender"), ("document" = Uuid, Path, description = "`_id` of the document")),
security((), ("session" = [])), responses(
    (status = 200, description = "Its text", body = Envelope<DocumentText>),
    (status = 401, description = "The session sent with it has ended", body = FailureBody),
    (status = 403, description = "Locked for this reader, or the plan permits no downloads", body = FailureBody),
    (status = 404, description = "Not found, or without readable text", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn read_document_text(
    State(state): State<AppState>,
    caller: MaybeUser,
    PathIds(tender, id): PathIds,
) -> ApiResult<DocumentText> {
    let document = fetch(&state, &caller, tender, id).await?;
    let text = document.text.ok_or(ServiceError::NotFound("The document's text"))?;
    Ok(Envelope::of(DocumentText { text }))
}
