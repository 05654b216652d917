//! POST /bids: adds a tender to the bid board.

use super::BidReferenceView;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::bids::{AddedBid, Board},
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The tender to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BidForm {
    /// The tender's id.
    tender_id: Uuid,
}

/// The bid for a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddedBidReply {
    bid: BidReferenceView,
}

/// Add a tender to the bid board
///
/// The caller intends to bid for the tender. If the tender is on the board, the bid stays as it is; if
/// the bid was dropped, it is considered again.
#[utoipa::path(post, path = "/bids", tag = "bids", operation_id = "addBid", request_body = BidForm,
security(("session" = [])), responses(
    (status = 200, description = "The tender was on the board before", body = Envelope<AddedBidReply>),
    (status = 201, description = "The tender is on the board", body = Envelope<AddedBidReply>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan's number of open bids is used up, the tender is locked for this user, \
        or the caller's e-mail address is not confirmed", body = FailureBody),
    (status = 404, description = "There is no such tender", body = FailureBody),
    (status = 409, description = "The tender has closed, or the board is full", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn add_bid(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<BidForm>,
) -> Result<(StatusCode, Envelope<AddedBidReply>), ServiceError> {
    let board = Board::of(&state, &caller).await?;
    let (status, bid) = match board.add(form.tender_id).await? {
        AddedBid::Added(bid) => (StatusCode::CREATED, bid),
        AddedBid::Present(bid) => (StatusCode::OK, bid),
        AddedBid::Full => return Err(board.entitlement().open_bid_quota_exceeded()),
    };
    Ok((status, Envelope::of(AddedBidReply { bid: bid.into() })))
}
