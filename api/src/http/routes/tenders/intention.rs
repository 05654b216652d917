//! PUT and DELETE /tenders/{id}/intention: declares or withdraws the intention to bid.

use super::{TenderCounters, TenderStatistics};
use crate::{
    app::state::AppState,
    domain::{bid::BidReference, error::ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
        routes::bids::BidReferenceView,
    },
    services::bids::{AddedBid, Board},
    storage::tenders,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's intention, and the tender's statistics.
#[derive(Debug, Serialize, ToSchema)]
pub struct Intention {
    /// Whether the caller intends to bid.
    intends: bool,
    /// The tender's updated statistics.
    statistics: TenderStatistics,
    /// The bid on the caller's board. Absent if there is none, for example because the plan includes no
    /// further open bid.
    #[serde(skip_serializing_if = "Option::is_none")]
    bid: Option<BidReferenceView>,
}

/// Declare the intention to bid
///
/// The tender is added to the caller's bid board, if the plan includes another open bid. A repeated
/// request changes nothing.
#[utoipa::path(put, path = "/tenders/{id}/intention", tag = "tenders", operation_id = "intendToBid",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "The intention is recorded", body = Envelope<Intention>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The tender is locked for this user, or the caller's e-mail address is not \
        confirmed", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this user", body = FailureBody),
    (status = 409, description = "The tender has closed", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn declare_intention(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<Intention> {
    let bid = match Board::of(&state, &caller).await?.declare(id).await? {
        AddedBid::Added(bid) | AddedBid::Present(bid) => Some(bid),
        AddedBid::Full => None,
    };
    respond(&state, id, true, bid).await
}

/// Withdraw the intention to bid
///
/// If nobody else of the caller's team intends to bid, a bid that is not submitted is dropped.
#[utoipa::path(delete, path = "/tenders/{id}/intention", tag = "tenders", operation_id = "intendNoMore",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "The caller does not intend to bid", body = Envelope<Intention>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "Not found", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn withdraw_intention(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<Intention> {
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    found.ok_or(ServiceError::NotFound("Tender"))?;
    let bid = Board::of(&state, &caller).await?.withdraw(id).await?;
    respond(&state, id, false, bid).await
}

async fn respond(
    state: &AppState,
    id: Uuid,
    intends: bool,
    bid: Option<BidReference>,
) -> ApiResult<Intention> {
    let statistics = TenderCounters::load(&state.db, &[id]).await?.of(id);
    Ok(Envelope::of(Intention { intends, statistics, bid: bid.map(BidReferenceView::from) }))
}
