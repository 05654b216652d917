//! GET /documents/{id}: downloads a document's file with a signed URL. The route supports range
//! requests (RFC 9110).

use crate::{
    app::state::AppState,
    clients::{document_file, file_store::FileName},
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{PathId, Query},
        file_response::respond_with_file,
    },
    storage::documents as stored,
};
use axum::{
    extract::{Request, State},
    http::header,
    response::Response,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// The content security policy, which forbids all content if a browser displays the file anyway.
const FORBID_ALL_POLICY: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/// The signature of the URL.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DocumentQuery {
    /// The expiry time of the URL, in seconds since 1970.
    until: i64,
    /// The signature of the URL.
    #[param(max_length = 100)]
    signature: String,
}

/// Download a document
///
/// `addressDocument` returns the URL, which is valid for an hour. The response tells browsers to
/// save the file and not to display it.
#[utoipa::path(get, path = "/documents/{id}", tag = "documents", operation_id = "readDocument",
params(("id" = Uuid, Path, description = "`_id` of the document"), DocumentQuery), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 206, description = "The requested range", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 304, description = "Not modified"),
    (status = 404, description = "Not found, or the URL is invalid or expired", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or a query value is invalid", body = FailureBody),
))]
pub async fn read_document(
    State(state): State<AppState>,
    PathId(id): PathId,
    Query(query): Query<DocumentQuery>,
    request: Request,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Document");
    if !document_file::is_valid_signed_url(
        &state.signing_key,
        id,
        (query.until, &query.signature),
        state.clock.now(),
    ) {
        return Err(NOT_FOUND);
    }
    let document = stored::get(&state.db, id).await?.ok_or(NOT_FOUND)?;
    let headers = [
        // The generic type keeps browsers from displaying the file.
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, document_file::content_disposition(&document.name)),
        (header::CONTENT_SECURITY_POLICY, FORBID_ALL_POLICY.to_owned()),
        (header::CACHE_CONTROL, "private, no-transform, max-age=3600".to_owned()),
    ];
    let file = FileName::document(document.hash);
    respond_with_file(&state.files, &file, request, headers).await?.ok_or(NOT_FOUND)
}
