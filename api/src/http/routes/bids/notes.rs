//! POST /bids/{id}/notes and DELETE /bids/{id}/notes/{note}: adds and deletes notes on a bid.

use super::BidDetails;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId, PathIds},
    },
    services::bids::Board,
};
use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

/// A note to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteForm {
    /// The text. It may have several lines.
    #[schema(max_length = 4000)]
    text: String,
}

/// Add a note to a bid
#[utoipa::path(post, path = "/bids/{id}/notes", tag = "bids", operation_id = "addBidNote",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = NoteForm,
security(("session" = [])), responses(
    (status = 201, description = "The bid with the note", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "The bid has too many notes", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The text is invalid", body = FailureBody),
))]
pub async fn add_note(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<NoteForm>,
) -> Result<(StatusCode, Envelope<BidDetails>), ServiceError> {
    let board = Board::of(&state, &caller).await?;
    board.add_note(id, &form.text).await?;
    Ok((StatusCode::CREATED, Envelope::of(BidDetails::load(&state, &board, id).await?)))
}

/// Delete a note on a bid
#[utoipa::path(delete, path = "/bids/{id}/notes/{note}", tag = "bids", operation_id = "deleteBidNote",
params(("id" = Uuid, Path, description = "`_id` of the bid"),
("note" = Uuid, Path, description = "`_id` of the note")), security(("session" = [])), responses(
    (status = 200, description = "The bid without the note", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller neither wrote the note nor owns the board", body = FailureBody),
    (status = 404, description = "The board has no such note", body = FailureBody),
    (status = 422, description = "An id is not a UUID", body = FailureBody),
))]
pub async fn delete_note(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathIds(bid, note): PathIds,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    board.remove_note(bid, note).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, bid).await?))
}
