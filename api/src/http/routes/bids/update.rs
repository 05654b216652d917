//! PUT /bids/{id}: sets the owner and the value of a bid.

use super::BidDetails;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::bids::{BidChange, Board},
};
use axum::extract::State;
use serde::Deserialize;
use tender_model::vocabulary::Amount;
use utoipa::ToSchema;
use uuid::Uuid;

/// The owner and the value of a bid. What the form leaves out is deleted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BidChangeForm {
    /// The version that was changed. A later one is not overwritten.
    version: i32,
    /// Who takes care of the bid: a user of the board.
    #[serde(default)]
    owner_id: Option<Uuid>,
    /// The value in rupees.
    #[serde(default)]
    value: Option<Amount>,
}

/// Change a bid
#[utoipa::path(put, path = "/bids/{id}", tag = "bids", operation_id = "updateBid",
params(("id" = Uuid, Path, description = "`_id` of the bid")), request_body = BidChangeForm,
security(("session" = [])), responses(
    (status = 200, description = "The changed bid", body = Envelope<BidDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The board has no such bid", body = FailureBody),
    (status = 409, description = "Somebody has changed the bid meanwhile", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn update_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<BidChangeForm>,
) -> ApiResult<BidDetails> {
    let board = Board::of(&state, &caller).await?;
    let BidChangeForm { version, owner_id, value } = form;
    board.change(id, BidChange { version, owner_id, value }).await?;
    Ok(Envelope::of(BidDetails::load(&state, &board, id).await?))
}
