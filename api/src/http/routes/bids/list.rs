//! GET /bids: reads the bid board.

use super::{BidView, PersonView};
use crate::{
    app::state::AppState,
    domain::bid::BidStage,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::bids::Board,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The number of bids in a stage.
#[derive(Debug, Serialize, ToSchema)]
struct StageCount {
    /// The stage.
    stage: BidStage,
    /// The number of bids.
    count: i64,
}

/// The bid board.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidBoard)]
pub struct BidBoard {
    /// The bids, those of a stage in their order. Of the bids that are won, lost or dropped, only the
    /// last ones are listed.
    bids: Vec<BidView>,
    /// The numbers of all bids, by stage in the order of the board.
    counts: Vec<StageCount>,
    /// The number of bids that may be open at a time; `null` means unlimited.
    #[schema(required)]
    quota: Option<i32>,
    /// Whether a team shares the board.
    is_shared: bool,
    /// The users who work on the board.
    people: Vec<PersonView>,
}

/// Read the bid board
#[utoipa::path(get, path = "/bids", tag = "bids", operation_id = "readBoard", security(("session" = [])), responses(
    (status = 200, description = "The board of the caller or the caller's team", body = Envelope<BidBoard>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_board(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<BidBoard> {
    let board = Board::of(&state, &caller).await?;
    let now = state.clock.moment();
    let bids = board.bids().await?.into_iter().map(|bid| BidView::of(bid, &board, now)).collect();
    let counts = board.counts().await?;
    let count = |stage: BidStage| StageCount { stage, count: counts.get(&stage).copied().unwrap_or(0) };
    Ok(Envelope::of(BidBoard {
        bids,
        counts: BidStage::ALL.into_iter().map(count).collect(),
        quota: board.quota(),
        is_shared: board.entitlement().shares_board(),
        people: board.people().await?.into_iter().map(PersonView::from).collect(),
    }))
}
