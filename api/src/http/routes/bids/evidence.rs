//! GET /bids/{id}/evidence.pdf: the evidence pack of a bid.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::bids::Board,
};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

/// Download the evidence pack of a bid
///
/// One PDF in the caller's language with the tender, the clips of the newspapers, the fields with their printed
/// words, and the history of the tender.
#[utoipa::path(get, path = "/bids/{id}/evidence.pdf", tag = "bids", operation_id = "readBidEvidence",
params(("id" = Uuid, Path, description = "`_id` of the bid")), security(("session" = [])), responses(
    (status = 200, description = "The file", body = Vec<u8>, content_type = "application/pdf"),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include the tender's details", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "The file would be too long", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
    (status = 503, description = "The portal has no fonts for the file", body = FailureBody),
))]
pub async fn read_evidence(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> Result<Response, ServiceError> {
    let pack = Board::of(&state, &caller).await?.evidence(id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", pack.name)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, Body::from(pack.content)).into_response())
}
