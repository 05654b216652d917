//! GET /ingest/leases/{id}/file: downloads the file of a lease's page. The route supports range
//! requests (RFC 9110).

use crate::{
    app::state::AppState,
    clients::page_store,
    domain::error::ServiceError,
    http::{
        error::{FailureBody, failure_response},
        extract::{Operator, PathId, scope},
    },
    services::newspaper_pages::leases,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use tower::ServiceExt;
use tower_http::services::ServeFile;

/// Download the file of a page
#[utoipa::path(get, path = "/ingest/leases/{id}/file", tag = "ingest", operation_id = "readPageFile",
params(("id" = Uuid, Path, description = "The id of the lease")), security(("operator" = [])), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 206, description = "The requested range", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 304, description = "Not modified"),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope work", body = FailureBody),
    (status = 404, description = "The portal has lost the file", body = FailureBody),
    (status = 409, description = "The lease was lost", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_page_file(
    State(state): State<AppState>,
    _: Operator<scope::Work>,
    PathId(id): PathId,
    request: Request,
) -> Result<Response, ServiceError> {
    let file = leases::file(&state, id).await?;
    let path = page_store::path(&state.config.data.newspaper_pages(), &file.hash);
    let served = ServeFile::new(&path).oneshot(request.map(|_| Body::empty())).await;
    let mut response = match served {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    match response.status() {
        StatusCode::NOT_FOUND => {
            tracing::error!(file = %file.id, "the file of a newspaper page is missing");
            return Err(ServiceError::NotFound("File"));
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let mut refused =
                failure_response(StatusCode::RANGE_NOT_SATISFIABLE, "The file has no such part");
            if let Some(size) = response.headers_mut().remove(header::CONTENT_RANGE) {
                refused.headers_mut().insert(header::CONTENT_RANGE, size);
            }
            return Ok(refused);
        }
        _ => {}
    }
    let octets = HeaderValue::from_static("application/octet-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, octets);
    Ok(response)
}
