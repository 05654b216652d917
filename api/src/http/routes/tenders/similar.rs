//! GET /tenders/{id}/similar: lists similar tenders, open ones first. The response reveals only what
//! everyone may read.

use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::PathId,
    },
};
use axum::extract::State;
use index::SimilarHit;
use serde::Serialize;
use tender_model::vocabulary::{Moment, TenderStatus};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of results.
const MAX_RESULTS: usize = 5;

/// A similar tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimilarTender {
    /// The similar tender's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The similar tender's title.
    title: String,
    /// The organisation that invites bids.
    organization: String,
    /// The similar tender's status now. A tender past its closing is `closed`.
    status: TenderStatus,
    /// When bids close.
    closing: Option<Moment>,
}

/// Similar tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimilarTenders {
    /// The tenders: open ones first, and of these the most similar.
    tenders: Vec<SimilarTender>,
}

/// List similar tenders
#[utoipa::path(get, path = "/tenders/{id}/similar", tag = "tenders", operation_id = "similarTenders",
params(("id" = Uuid, Path, description = "`_id` of the tender")), responses(
    (status = 200, description = "Up to five similar tenders", body = Envelope<SimilarTenders>),
    (status = 404, description = "Not found or not listed", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn list_similar_tenders(
    State(state): State<AppState>,
    PathId(id): PathId,
) -> ApiResult<SimilarTenders> {
    let now = state.clock.moment();
    let found = crate::services::search::search(&state, SearchKind::Similar, move |search_engine, _| {
        let tender = search_engine.get(id)?.filter(|tender| !tender.is_canary());
        tender.map(|tender| search_engine.similar(&tender, now, MAX_RESULTS)).transpose()
    });
    let found = found.await?.ok_or(ServiceError::NotFound("Tender"))?;
    let tenders = found.into_iter().map(|SimilarHit { id, title, organization, status, closing }| {
        SimilarTender { id, title, organization, status, closing }
    });
    Ok(Envelope::of(SimilarTenders { tenders: tenders.collect() }))
}
