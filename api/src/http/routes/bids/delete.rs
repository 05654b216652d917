//! DELETE /bids/{id}: removes a bid from the board.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::bids::Board,
};
use axum::extract::State;

/// Remove a bid from the board
///
/// The notes, the tasks and the history are deleted, too.
#[utoipa::path(delete, path = "/bids/{id}", tag = "bids", operation_id = "deleteBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), security(("session" = [])), responses(
    (status = 200, description = "The bid is deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    Board::of(&state, &caller).await?.remove(id).await?;
    Ok(Envelope::of(NoData {}))
}
