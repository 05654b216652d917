//! GET /awards/{id}: reads an award with the words that it rests on.

use super::AwardView;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::PathId,
    },
    storage::awards,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::award::Passage;
use utoipa::ToSchema;

/// An award with the words of the decision that it rests on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AwardDetails {
    /// The award.
    #[serde(flatten)]
    award: AwardView,
    /// The number of the lot within its decision, from 1.
    lot_number: u32,
    /// How many lots the decision has.
    lots: u32,
    /// The words for the winners, in their order.
    winner_passages: Vec<Passage>,
    /// The words for the amounts, in their order.
    amount_passages: Vec<Passage>,
    /// The words for the body.
    #[schema(required)]
    body_passage: Option<Passage>,
}

/// Read an award
#[utoipa::path(get, path = "/awards/{id}", tag = "awards", operation_id = "readAward",
params(("id" = Uuid, Path, description = "`_id` of the award")), responses(
    (status = 200, description = "The award", body = Envelope<AwardDetails>),
    (status = 404, description = "Not found", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_award(State(state): State<AppState>, PathId(id): PathId) -> ApiResult<AwardDetails> {
    let stored = awards::get(&state.db, id).await?.ok_or(ServiceError::NotFound("Award"))?;
    Ok(Envelope::of(AwardDetails {
        lot_number: stored.lot,
        lots: stored.lots,
        winner_passages: stored.award.winners.iter().map(|winner| winner.passage.clone()).collect(),
        amount_passages: stored.award.amounts.iter().map(|amount| amount.passage.clone()).collect(),
        body_passage: stored.body.as_ref().map(|(_, passage)| passage.clone()),
        award: stored.into(),
    }))
}
