//! PUT /bids/{id}/place: moves a bid to another stage, or to another place in its stage.

use super::BidDetails;
use crate::{
    app::state::AppState,
    domain::bid::BidStage,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::bids::{Board, Placement},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A place on the board.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceForm {
    /// The version that was moved. A later one is not moved.
    version: i32,
    /// The stage.
    stage: BidStage,
    /// The bid before which this one stands. Absent or not in the stage: this one is the last. Among the
    /// bids that are won, lost or dropped, the one that was moved last always stands first.
    #[serde(default)]
    before: Option<Uuid>,
}

/// Move a bid
///
/// If the bid is dropped, nobody of the account intends to bid for the tender any more.
#[utoipa::path(put, path = "/bids/{id}/place", tag = "bids", operation_id = "placeBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = PlaceForm,
security(("session" = [])), responses(
    (status = 200, description = "The moved bid", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan's number of open bids is used up", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "Somebody has changed the bid meanwhile, or the board is full", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn place_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<PlaceForm>,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    let PlaceForm { version, stage, before } = form;
    board.place(id, Placement { version, stage, before }).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}
