//! Serves newspaper files. Range requests (RFC 9110) are supported.

use crate::{
    app::state::AppState, clients::page_store, domain::error::ServiceError, http::error::failure_response,
};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use tower::ServiceExt;
use tower_http::services::ServeFile;

/// The newspaper file with a hash, or the requested range of it.
///
/// # Errors
/// 404 if the portal has lost the file.
pub async fn serve_page_file(
    state: &AppState,
    hash: &str,
    request: Request,
) -> Result<Response, ServiceError> {
    let path = page_store::path(&state.config.data.newspaper_pages(), hash);
    let served = ServeFile::new(&path).oneshot(request.map(|_| Body::empty())).await;
    let mut response = match served {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    match response.status() {
        StatusCode::NOT_FOUND => {
            tracing::error!(hash, "the file of a newspaper page is missing");
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
