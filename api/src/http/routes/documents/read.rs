//! GET /documents/{id}: a document's file, for whoever was given its address; in parts where asked (RFC 9110, ranges).

use crate::http::error::failure;
use crate::{
    app::state::AppState,
    clients::document_store,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{Id, Query},
    },
    storage::documents as stored,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use serde::Deserialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa::IntoParams;

/// What a file may do where a browser shows it in spite of all: nothing.
const NOTHING: &str = "default-src 'none'; sandbox";

/// What opens it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DocumentQuery {
    /// In seconds since 1970.
    until: i64,
    /// As the document's address has it.
    #[param(max_length = 100)]
    signature: String,
}

/// A document's file
///
/// Its address is given by the tender's documents, and is good for an hour. It is always saved, never shown.
#[utoipa::path(get, path = "/documents/{id}", tag = "documents", operation_id = "readDocument",
params(("id" = Uuid, Path, description = "`_id` of the document"), DocumentQuery), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 206, description = "The part asked for", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 304, description = "The caller has it already"),
    (status = 404, description = "There is no such document, or the address is not good any more", body = FailureBody),
    (status = 416, description = "The file has no such part", body = FailureBody),
    (status = 422, description = "The id is no UUID, or a query value does not fit", body = FailureBody),
))]
pub async fn read_document(
    State(state): State<AppState>,
    Id(id): Id,
    Query(query): Query<DocumentQuery>,
    request: Request,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Document");
    if !document_store::is_open(&state.signing_key, id, (query.until, &query.signature), state.clock.now()) {
        return Err(NOT_FOUND);
    }
    let document = stored::get(&state.db, id).await?.ok_or(NOT_FOUND)?;
    let path = state.documents.path(&document.hash);
    let served = ServeFile::new(&path).oneshot(request.map(|_| Body::empty())).await;
    let mut response = match served {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    match response.status() {
        StatusCode::NOT_FOUND => {
            tracing::error!(document = %id, "a document's file is gone from the data folder");
            return Err(NOT_FOUND);
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let mut refused = failure(StatusCode::RANGE_NOT_SATISFIABLE, "The file has no such part");
            if let Some(size) = response.headers_mut().remove(header::CONTENT_RANGE) {
                refused.headers_mut().insert(header::CONTENT_RANGE, size);
            }
            return Ok(refused);
        }
        _ => {}
    }
    let headers = response.headers_mut();
    let told = [
        // Shown by no browser, whatever it thinks the file is.
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, document_store::disposition(&document.name)),
        (header::CONTENT_SECURITY_POLICY, NOTHING.to_owned()),
        (header::CACHE_CONTROL, "private, no-transform, max-age=3600".to_owned()),
        (header::ETAG, format!("\"{}\"", document.hash)),
    ];
    for (name, value) in told {
        headers.insert(name, HeaderValue::try_from(value).map_err(anyhow::Error::from)?);
    }
    Ok(response)
}
