//! GET /tenders/{id}/awards: lists the past awards that a tender is like. The response reveals nothing of
//! the tender but what its title says, which everyone may read.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::PathId,
        routes::awards::AwardView,
    },
    services::awards::past_awards,
    storage::tenders,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::past_awards::AmountSpread;
use utoipa::ToSchema;

/// A past award beside a tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastAward {
    /// The award.
    #[serde(flatten)]
    award: AwardView,
    /// Whether the award is the outcome of the tender.
    is_outcome: bool,
}

/// Past awards beside a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderAwards {
    /// The outcome of the tender first, then the most alike.
    awards: Vec<PastAward>,
    /// The spread of the amounts of each currency in which at least three of the awards have one amount.
    spreads: Vec<AmountSpread>,
}

/// List past awards like a tender
#[utoipa::path(get, path = "/tenders/{id}/awards", tag = "tenders", operation_id = "tenderAwards",
params(("id" = Uuid, Path, description = "`_id` of the tender")), responses(
    (status = 200, description = "Up to thirty past awards", body = Envelope<TenderAwards>),
    (status = 404, description = "Not found or not listed", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn list_tender_awards(
    State(state): State<AppState>,
    PathId(id): PathId,
) -> ApiResult<TenderAwards> {
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    let tender = found.ok_or(ServiceError::NotFound("Tender"))?.tender;
    let past = past_awards(&state, &tender).await?;
    let awards = past.awards.into_iter();
    let awards =
        awards.map(|past| PastAward { award: past.award.into(), is_outcome: past.is_outcome }).collect();
    Ok(Envelope::of(TenderAwards { awards, spreads: past.spreads }))
}
