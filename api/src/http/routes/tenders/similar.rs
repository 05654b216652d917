//! GET /tenders/{id}/similar: lists similar tenders. The response reveals only titles and
//! organisations, which everyone may read.

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
}

/// Similar tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimilarTenders {
    /// The tenders, the most similar first.
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
    let found = crate::services::search::search(&state, SearchKind::Similar, move |search_engine, _| {
        let tender = search_engine.get(id)?.filter(|tender| !tender.is_canary());
        tender.map(|tender| search_engine.similar(&tender, MAX_RESULTS)).transpose()
    });
    let found = found.await?.ok_or(ServiceError::NotFound("Tender"))?;
    let tenders = found.into_iter().map(|SimilarHit { id, title, organization }| SimilarTender {
        id,
        title,
        organization,
    });
    Ok(Envelope::of(SimilarTenders { tenders: tenders.collect() }))
}
