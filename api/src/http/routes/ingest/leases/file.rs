//! GET /ingest/leases/{id}/file: downloads the file of a lease's page. The route supports range
//! requests (RFC 9110).

use crate::{
    app::state::AppState,
    clients::file_store::FileName,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{Operator, PathId, scope},
        file_response::respond_with_file,
    },
    services::newspaper_pages::leases,
};
use axum::{
    extract::{Request, State},
    http::header,
    response::Response,
};

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
    let headers = [(header::CONTENT_TYPE, "application/octet-stream".to_owned())];
    let found =
        respond_with_file(&state.files, &FileName::newspaper_page(file.hash), request, headers).await?;
    found.ok_or(ServiceError::NotFound("File"))
}
