//! Receives a document as the only file of a form. The file's type is detected from its first bytes.

use crate::{
    app::state::AppState,
    clients::{
        document_file::{DocumentKind, SNIFFED_BYTES},
        document_inspection::{self, DocumentRisk},
        file_store::IncomingFile,
    },
    domain::{
        document::MAX_DOCUMENT_BYTES,
        error::{FieldError, ServiceError},
    },
    storage::stored_files::FileFolder,
};
use anyhow::Context;
use axum::{
    extract::{
        Multipart,
        multipart::{Field, MultipartError},
    },
    http::StatusCode,
};
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

/// A complete upload that is not yet moved into place.
pub(crate) struct Upload {
    /// The received file.
    pub(crate) incoming: IncomingFile,
    /// The cleaned name.
    pub(crate) name: String,
    /// The type, detected from the content.
    pub(crate) kind: DocumentKind,
}

/// Receives the only file of a form. Refuses unknown types, encrypted files and files with macros.
///
/// # Errors
/// 400 if the form is malformed, 413 if the file is too large, and 422 if it is refused.
pub(crate) async fn read_upload(state: &AppState, mut form: Multipart) -> Result<Upload, ServiceError> {
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
