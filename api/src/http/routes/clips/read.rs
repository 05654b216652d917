//! GET /clips/{hash}: downloads the image of a notice with a signed URL. The image's name is the
//! hash of its content. The image therefore never changes, and browsers may cache it.

use crate::{
    app::state::AppState,
    clients::{
        blob_store,
        clip_store::{self, MediaType},
    },
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{PathName, Query},
    },
    storage::clips as stored_clips,
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::io::ErrorKind;
use tokio_util::io::ReaderStream;
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
    (status = 304, description = "Not modified"),
    (status = 404, description = "Not found, or the URL is invalid or expired", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_clip(
    State(state): State<AppState>,
    PathName(hash): PathName,
    Query(query): Query<ClipQuery>,
    headers: HeaderMap,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Clip");
    let given = (query.until, query.signature.as_str());
    if !blob_store::is_hash(&hash)
        || !clip_store::is_valid_signed_url(&state.signing_key, &hash, given, state.clock.now())
    {
        return Err(NOT_FOUND);
    }
    let clip = stored_clips::get(&state.db, &hash).await?.ok_or(NOT_FOUND)?;
    let media_type = MediaType::from_stored(&clip.media_type).ok_or(NOT_FOUND)?;
    let tag = format!("\"{hash}\"");
    let cache_headers = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
    ];
    let cached = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    if cached.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == tag) {
        return Ok((StatusCode::NOT_MODIFIED, cache_headers).into_response());
    }
    let path = clip_store::path(&state.config.data.clips(), &hash, media_type);
    let file = tokio::fs::File::open(&path).await.map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            tracing::error!(clip = hash, "the file of a clip is missing");
            NOT_FOUND
        }
        _ => ServiceError::Internal(anyhow::Error::new(error).context("opening a clip")),
    })?;
    let content_headers = [
        (header::CONTENT_TYPE, media_type.as_str().to_owned()),
        (header::CONTENT_LENGTH, clip.size.to_string()),
    ];
    Ok((cache_headers, content_headers, Body::from_stream(ReaderStream::new(file))).into_response())
}
