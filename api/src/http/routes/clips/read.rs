//! GET /clips/{hash}: downloads the image of a notice with a signed URL. The image's name is the
//! hash of its content. The image therefore never changes, and browsers may cache it.

use crate::{
    app::state::AppState,
    clients::{
        clip_image,
        file_store::{FileName, is_hash},
    },
    domain::{clip::MediaType, error::ServiceError},
    http::{
        error::FailureBody,
        extract::{PathName, Query},
        file_response::respond_with_file,
    },
    storage::clips as stored_clips,
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
pub struct ClipQuery {
    /// The expiry time of the URL, in seconds since 1970.
    until: i64,
    /// The signature of the URL.
    #[param(max_length = 100)]
    signature: String,
}

/// Download the image of a notice
///
/// The image's URL is part of the tender's details and is valid for one to two days.
#[utoipa::path(get, path = "/clips/{hash}", tag = "tenders", operation_id = "readClip",
params(("hash" = String, Path, description = "SHA-256 of the image in 64 hex digits"), ClipQuery), responses(
    (status = 200, description = "The image",
        content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
    (status = 206, description = "The requested range",
        content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
    (status = 304, description = "Not modified"),
    (status = 404, description = "Not found, or the URL is invalid or expired", body = FailureBody),
    (status = 416, description = "The range is outside the file", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_clip(
    State(state): State<AppState>,
    PathName(hash): PathName,
    Query(query): Query<ClipQuery>,
    request: Request,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Clip");
    let given = (query.until, query.signature.as_str());
    if !is_hash(&hash)
        || !clip_image::is_valid_signed_url(&state.signing_key, &hash, given, state.clock.now())
    {
        return Err(NOT_FOUND);
    }
    let clip = stored_clips::get(&state.db, &hash).await?.ok_or(NOT_FOUND)?;
    let media_type = MediaType::from_stored(&clip.media_type).ok_or(NOT_FOUND)?;
    let headers = [
        (header::CONTENT_TYPE, media_type.as_str().to_owned()),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
    ];
    let file = FileName::clip(hash, media_type);
    respond_with_file(&state.files, &file, request, headers).await?.ok_or(NOT_FOUND)
}
