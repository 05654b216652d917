//! GET /bids/{id}: reads a bid with its notes, tasks and history.

use super::BidDetails;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::bids::Board,
};
use axum::extract::State;

/// Read a bid
#[utoipa::path(get, path = "/bids/{id}", tag = "bids", operation_id = "readBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), security(("session" = [])), responses(
    (status = 200, description = "The bid", body = Envelope<BidDetails>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}
