//! GET /operate/pages/{id}/picture: downloads the picture of a page with a signed URL. The URL names
//! the hash of the picture. The picture of a URL therefore never changes, and browsers may cache it.

use crate::{
    app::state::AppState,
    clients::{
        file_store::{FileName, is_hash},
        page_picture,
    },
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{PathId, Query},
        file_response::respond_with_file,
    },
};
use axum::{
    extract::{Request, State},
    http::header,
    response::Response,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// The signature of the URL.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PictureQuery {
    /// The hash of the picture.
    #[param(max_length = 64)]
    hash: String,
    /// The expiry time of the URL, in seconds since 1970.
    until: i64,
    /// The signature of the URL.
    #[param(max_length = 100)]
    signature: String,
}

/// Download the picture of a newspaper page
///
/// `newspaperPage` returns the URL.
#[utoipa::path(get, path = "/operate/pages/{id}/picture", tag = "operate", operation_id = "readPagePicture",
params(("id" = Uuid, Path, description = "The page's id"), PictureQuery), responses(
    (status = 200, description = "The picture", content_type = "image/jpeg", body = Vec<u8>),
    (status = 206, description = "The requested range", content_type = "image/jpeg", body = Vec<u8>),
    (status = 304, description = "Not modified"),
    (status = 404, description = "Not found, or the URL is invalid or expired", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or a query value is invalid", body = FailureBody),
))]
pub async fn read_page_picture(
    State(state): State<AppState>,
    PathId(id): PathId,
    Query(PictureQuery { hash, until, signature }): Query<PictureQuery>,
    request: Request,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Picture");
    let (key, now) = (&state.signing_key, state.clock.now());
    if !is_hash(&hash) || !page_picture::is_valid_picture_url(key, (id, &hash), (until, &signature), now) {
        return Err(NOT_FOUND);
    }
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg".to_owned()),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
    ];
    let file = FileName::newspaper_page(hash);
    respond_with_file(&state.files, &file, request, headers).await?.ok_or(NOT_FOUND)
}
