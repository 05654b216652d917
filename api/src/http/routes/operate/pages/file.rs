//! GET /operate/pages/{id}/file: downloads the newspaper file of a page. The route supports range
//! requests (RFC 9110).

use crate::{
    app::state::AppState,
    clients::file_store::FileName,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{PathId, Reviewer},
        file_response::respond_with_file,
    },
    storage::newspaper_pages,
};
use axum::{
    extract::{Request, State},
    http::header,
    response::Response,
};

/// Download the file of a page
#[utoipa::path(get, path = "/operate/pages/{id}/file", tag = "operate", operation_id = "downloadPageFile",
params(("id" = Uuid, Path, description = "The id of the page")),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 206, description = "The requested range", content_type = "application/octet-stream", body = Vec<u8>),
    (status = 304, description = "Not modified"),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page, or the portal does not have its file", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_operated_file(
    State(state): State<AppState>,
    _: Reviewer,
    PathId(id): PathId,
    request: Request,
) -> Result<Response, ServiceError> {
    let hash =
        newspaper_pages::files::hash_of_page(&state.db, id).await?.ok_or(ServiceError::NotFound("File"))?;
    let headers = [(header::CONTENT_TYPE, "application/octet-stream".to_owned())];
    let found = respond_with_file(&state.files, &FileName::newspaper_page(hash), request, headers).await?;
    found.ok_or(ServiceError::NotFound("File"))
}
