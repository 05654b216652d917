//! GET /tenders/{id}: one tender with all its details, from the record itself.

use super::{Reader, TenderView};
use crate::{
    auth::MaybeUser,
    db::tenders,
    edge::{Answer, Envelope, Id},
    error::{ApiError, FailureBody},
    state::AppState,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// One tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderDetails {
    /// With its full text.
    pub tender: TenderView,
}

/// One tender
#[utoipa::path(get, path = "/tenders/{id}", tag = "tenders", operation_id = "readTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security((), ("session" = [])), responses(
    (status = 200, description = "All that this reader may see of it", body = Envelope<TenderDetails>),
    (status = 401, description = "The session sent with it has ended", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this reader", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn read_tender(
    State(state): State<AppState>,
    caller: MaybeUser,
    Id(id): Id,
) -> Answer<TenderDetails> {
    let reader = Reader::from(&caller);
    let found = tenders::current(&state.db, id).await?;
    let found = found
        .filter(|found| found.tender.status.is_public() || reader.sees_unlisted_of(found.owner_id))
        .ok_or(ApiError::NotFound("Tender"))?;
    Ok(Envelope::of(TenderDetails { tender: TenderView::of(found.tender, reader, &state.clock) }))
}
