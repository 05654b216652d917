//! POST /tenders/{id}/documents: streams a file to disk and attaches it to the caller's tender. Its
//! first bytes decide its type, its hash is its name.

use crate::{
    app::state::AppState,
    clients::{
        blob_store::Incoming,
        document_store::{HEAD, Kind, MAX_SIZE},
    },
    domain::{
        document::Document,
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
};
use anyhow::Context;
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use index::tender;
use serde::Serialize;
use utoipa::ToSchema;

/// The error context for a failing disk.
const STORING: &str = "storing a document";
/// The number of excess bytes that are read and discarded, so that the client sees the error.
const DRAINED: u64 = 4 * MAX_SIZE;
/// The maximum size of the whole request, in bytes.
pub const REQUEST_LIMIT: usize = (MAX_SIZE + DRAINED) as usize;

/// The parts of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "tells the contract what the multipart body holds")]
pub struct DocumentParts {
    /// The file, with its name: PDF, Word, Excel, ZIP, JPEG, PNG or WebP of at most 20 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// An attached document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Attached {
    /// As listed in the tender.
    document: tender::Document,
}

/// Attach a document to a tender
///
/// A file with the same content is attached once.
#[utoipa::path(post, path = "/tenders/{id}/documents", tag = "documents", operation_id = "attachDocument",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body(content = DocumentParts, content_type = "multipart/form-data"), security(("session" = [])), responses(
    (status = 200, description = "It is attached already", body = Envelope<Attached>),
    (status = 201, description = "Attached", body = Envelope<Attached>),
    (status = 400, description = "Not a multipart form", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Another's tender", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit it, or it has as many documents as it can", body = FailureBody),
    (status = 413, description = "The file is too large", body = FailureBody),
    (status = 422, description = "The file type is not supported, or the account has too many bytes attached", body = FailureBody),
))]
pub async fn attach_document(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Envelope<Attached>), ServiceError> {
    crate::services::tenders::attachments::may_attach(&state, &caller, id).await?;
    let form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let Taken { incoming, name, kind } = take_in(&state, form).await?;
    let (hash, size) = (incoming.hash(), incoming.size());
    incoming.keep(&state.documents.path(&hash)).await.context(STORING)?;
    let text = match kind {
        Kind::PDF => state.documents.text(&hash).await?,
        _ => None,
    };
    let document = Document {
        id: state.random.id(&state.clock),
        tender_id: id,
        hash,
        name,
        media_type: kind.media_type.to_owned(),
        size: i64::try_from(size).map_err(anyhow::Error::from)?,
        text,
    };
    let (document, is_new) = crate::services::tenders::attachments::attach(&state, &caller, document).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Envelope::saying("Document attached", Attached { document })))
}

/// A complete upload that is not in its place yet.
struct Taken {
    incoming: Incoming,
    name: String,
    kind: Kind,
}

async fn take_in(state: &AppState, mut form: Multipart) -> Result<Taken, ServiceError> {
    let mut taken = None;
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() != Some("file") || taken.is_some() {
            return Err(refused("The form has one part called file, and no others"));
        }
        taken = Some(take(state, field).await?);
    }
    taken.ok_or_else(|| refused("The form has no part called file"))
}

async fn take(state: &AppState, mut field: Field<'_>) -> Result<Taken, ServiceError> {
    let given = field.file_name().unwrap_or_default().to_owned();
    let unique = state.random.id(&state.clock);
    let mut incoming = Incoming::begin(state.documents.folder(), unique).await.context(STORING)?;
    let (mut head, mut came) = (Vec::new(), 0_u64);
    while let Some(bytes) = field.chunk().await.map_err(broken)? {
        came += bytes.len() as u64;
        if came > MAX_SIZE {
            continue;
        }
        head.extend_from_slice(
            bytes.get(..HEAD.saturating_sub(head.len()).min(bytes.len())).unwrap_or_default(),
        );
        incoming.write(&bytes).await.context(STORING)?;
    }
    if came > MAX_SIZE {
        return Err(too_large());
    }
    if came == 0 {
        return Err(refused("The file is empty"));
    }
    let kind = Kind::sniff(&head).ok_or_else(|| {
        refused("This file type is not supported. Attach PDF, Word, Excel, ZIP, JPEG, PNG or WebP")
    })?;
    Ok(Taken { name: kind.name(&given), incoming, kind })
}

fn too_large() -> ServiceError {
    ServiceError::TooLarge(format!("A document may have at most {} MB", MAX_SIZE >> 20))
}

fn refused(message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new("file", message)])
}

fn broken(error: MultipartError) -> ServiceError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => ServiceError::Unreadable("The form broke off before its end, or is malformed".into()),
    }
}
