//! POST /tenders/{id}/documents: streams a file to disk and attaches it to the caller's tender.
//! The file's type is detected from its first bytes. Its name on disk is its hash. The job
//! `read_documents` reads its text later.

use crate::{
    app::state::AppState,
    clients::{
        document_file::{DocumentKind, SNIFFED_BYTES},
        document_inspection::{self, DocumentRisk},
        file_store::{FileName, IncomingFile},
    },
    domain::{
        document::{Document, MAX_DOCUMENT_BYTES},
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{CallerAddress, CurrentUser, PathId},
    },
    services::tenders::{attachments, publishing::Editor},
    storage::stored_files::FileFolder,
};
use anyhow::Context;
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use serde::Serialize;
use tender_model::tender;
use utoipa::ToSchema;

/// The context of disk errors.
const STORING: &str = "storing a document";
/// The maximum number of excess bytes that are read and discarded, so that the client receives the
/// error response.
const MAX_DISCARDED: u64 = 4 * MAX_DOCUMENT_BYTES;
/// The maximum size of the whole request, in bytes.
pub const REQUEST_LIMIT: usize = (MAX_DOCUMENT_BYTES + MAX_DISCARDED) as usize;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart body in the OpenAPI document")]
pub struct DocumentParts {
    /// The file, with its name: PDF, Word, Excel, ZIP, JPEG, PNG or WebP of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

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

/// A complete upload that is not yet moved into place.
struct Upload {
    incoming: IncomingFile,
    name: String,
    kind: DocumentKind,
}

async fn read_upload(state: &AppState, mut form: Multipart) -> Result<Upload, ServiceError> {
    let mut upload = None;
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        if field.name() != Some("file") || upload.is_some() {
            return Err(invalid_file("The form must have one part called file, and no others"));
        }
        upload = Some(read_file(state, field).await?);
    }
    upload.ok_or_else(|| invalid_file("The form has no part called file"))
}

async fn read_file(state: &AppState, mut field: Field<'_>) -> Result<Upload, ServiceError> {
    let given = field.file_name().unwrap_or_default().to_owned();
    let mut incoming = state.files.receive(FileFolder::Documents).await?;
    let (mut head, mut received) = (Vec::new(), 0_u64);
    while let Some(bytes) = field.chunk().await.map_err(multipart_error)? {
        received += bytes.len() as u64;
        if received > MAX_DOCUMENT_BYTES {
            continue;
        }
        head.extend_from_slice(
            bytes.get(..SNIFFED_BYTES.saturating_sub(head.len()).min(bytes.len())).unwrap_or_default(),
        );
        incoming.write(&bytes).await.context(STORING)?;
    }
    if received > MAX_DOCUMENT_BYTES {
        return Err(too_large());
    }
    if received == 0 {
        return Err(invalid_file("The file is empty"));
    }
    if let Some(risk) = document_inspection::find_risk(&incoming.contents().await.context(STORING)?) {
        return Err(invalid_file(match risk {
            DocumentRisk::Encrypted => "Encrypted files are not accepted. Attach the file without a password",
            DocumentRisk::Macros => "Files with macros are not accepted. Save the file without macros",
        }));
    }
    let kind = DocumentKind::sniff(&head).ok_or_else(|| {
        invalid_file("This file type is not supported. Attach PDF, Word, Excel, ZIP, JPEG, PNG or WebP")
    })?;
    Ok(Upload { name: kind.clean_file_name(&given), incoming, kind })
}

fn too_large() -> ServiceError {
    ServiceError::TooLarge(format!("A document may have at most {} MB", MAX_DOCUMENT_BYTES >> 20))
}

fn invalid_file(message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new("file", message)])
}

fn multipart_error(error: MultipartError) -> ServiceError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => ServiceError::Unreadable("The form broke off before its end, or is malformed".into()),
    }
}
