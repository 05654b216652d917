//! GET /tenders/{id}/similar: tenders like one, by what may be read of every tender.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::Id,
    },
};
use axum::extract::State;
use index::SimilarHit;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// How many are told.
const MOST: usize = 5;

/// A tender like another.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimilarTender {
    /// Its id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Its title.
    title: String,
    /// Who invites bids.
    organization: String,
}

/// Tenders like one.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimilarTenders {
    /// The likest first.
    tenders: Vec<SimilarTender>,
}

/// Tenders like this one
#[utoipa::path(get, path = "/tenders/{id}/similar", tag = "tenders", operation_id = "similarTenders",
params(("id" = Uuid, Path, description = "`_id` of the tender")), responses(
    (status = 200, description = "Up to five", body = Envelope<SimilarTenders>),
    (status = 404, description = "There is none that is listed", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn similar_tenders(State(state): State<AppState>, Id(id): Id) -> Answer<SimilarTenders> {
    let found = crate::services::search::search(&state, move |catalogue, _| {
        let tender = catalogue.get(id)?;
        tender.map(|tender| catalogue.similar(&tender, MOST)).transpose()
    });
    let found = found.await?.ok_or(ServiceError::NotFound("Tender"))?;
    let tenders = found.into_iter().map(|SimilarHit { id, title, organization }| SimilarTender {
        id,
        title,
        organization,
    });
    Ok(Envelope::of(SimilarTenders { tenders: tenders.collect() }))
}
