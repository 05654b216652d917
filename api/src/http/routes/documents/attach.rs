//! POST /tenders/{id}/documents: streams a file to disk and attaches it to the caller's tender.
//! The file's type is detected from its first bytes. Its name on disk is its hash. The job
//! `read_documents` reads its text later.

use crate::{
    app::state::AppState,
    clients::{document_file::DocumentKind, file_store::FileName},
    domain::{document::Document, error::ServiceError},
    http::{
        document_upload::{DocumentParts, Upload, read_upload},
        envelope::Envelope,
        error::FailureBody,
        extract::{CallerAddress, CurrentUser, PathId},
    },
    services::tenders::{attachments, publishing::Editor},
};
use axum::{
    extract::{Multipart, State, multipart::MultipartRejection},
    http::StatusCode,
};
use serde::Serialize;
use tender_model::tender;
use utoipa::ToSchema;

/// An attached document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Attached {
    /// The document, as listed in the tender.
    document: tender::Document,
}

/// Attach a document to a tender
///
/// A file whose content is already attached is not attached again. The text of a PDF is read shortly
/// after the upload; then `hasText` is true.
#[utoipa::path(post, path = "/tenders/{id}/documents", tag = "documents", operation_id = "attachDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body(content = DocumentParts, content_type = "multipart/form-data"), security(("session" = [])), responses(
    (status = 200, description = "A file with this content was already attached", body = Envelope<Attached>),
    (status = 201, description = "Attached", body = Envelope<Attached>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The tender belongs to another account", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit changes, the tender has the maximum number \
        of documents, or the account has uploaded the maximum number of documents today", body = FailureBody),
    (status = 413, description = "The file is too large", body = FailureBody),
    (status = 422, description = "The file type is not supported, or the account's documents exceed their total \
        size limit", body = FailureBody),
))]
pub async fn attach_document(
    State(state): State<AppState>,
    caller: CurrentUser,
    CallerAddress(address): CallerAddress,
    PathId(id): PathId,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Envelope<Attached>), ServiceError> {
    state.documents.require_space()?;
    attachments::may_attach(&state, &caller, id).await?;
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let Upload { incoming, name, kind } = read_upload(&state, form).await?;
    let (hash, size) = (incoming.hash(), incoming.size());
    state.files.keep(incoming, &FileName::document(&hash)).await?;
    let document = Document {
        id: state.random.id(&state.clock),
        tender_id: id,
        hash,
        name,
        media_type: kind.media_type.to_owned(),
        size: i64::try_from(size).map_err(anyhow::Error::from)?,
        text: None,
        awaits_text: kind == DocumentKind::PDF,
    };
    let editor = Editor { user: &caller, address };
    let (document, is_new) = attachments::attach(&state, editor, document).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Envelope::with_message("Document attached", Attached { document })))
}
