//! PUT and DELETE /tenders/{id}/intention: "I intend to bid", said and taken back.

use super::{Looks, TenderStatistics};
use crate::{
    app::state::AppState,
    domain::error::{Refusal, ServiceError},
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id},
    },
    services::entitlement::Entitlement,
    storage::{intentions, tenders},
};
use axum::extract::State;
use index::vocabulary::TenderStatus;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What the caller intends, and how many others do.
#[derive(Debug, Serialize, ToSchema)]
pub struct Intention {
    /// The caller intends to bid.
    intends: bool,
    /// Of the tender, counted anew.
    statistics: TenderStatistics,
}

/// Intend to bid
///
/// Said twice it counts once.
#[utoipa::path(put, path = "/tenders/{id}/intention", tag = "tenders", operation_id = "intendToBid",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Counted", body = Envelope<Intention>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Locked to this reader, or the caller's e-mail address is not confirmed", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this reader", body = FailureBody),
    (status = 409, description = "Nobody can bid for it any more", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn intend(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Intention> {
    let (user, is_confirmed) = (caller.id, caller.email_verified);
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    let found = found.ok_or(ServiceError::NotFound("Tender"))?;
    if let Some(stub) = entitlement.stub(&found.tender, found.owner_id) {
        return Err(stub.into());
    }
    if found.tender.status != TenderStatus::Published || found.tender.is_expired(state.clock.moment()) {
        return Err(ServiceError::Conflict("This tender has closed: nobody can bid for it any more".into()));
    }
    if !is_confirmed {
        let message = "Please confirm your email address before you tell that you intend to bid";
        return Err(Refusal::unverified(message).into());
    }
    intentions::add(&state.db, id, user, state.clock.now()).await?;
    answer(&state, id, true).await
}

/// Intend to bid no more
#[utoipa::path(delete, path = "/tenders/{id}/intention", tag = "tenders", operation_id = "intendNoMore",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Taken back, or never said", body = Envelope<Intention>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "There is none", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn intend_no_more(
    State(state): State<AppState>,
    caller: CurrentUser,
    Id(id): Id,
) -> Answer<Intention> {
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    found.ok_or(ServiceError::NotFound("Tender"))?;
    intentions::remove(&state.db, id, caller.id).await?;
    answer(&state, id, false).await
}

async fn answer(state: &AppState, id: Uuid, intends: bool) -> Answer<Intention> {
    let statistics = Looks::at(state, &[id]).await?.of(id);
    Ok(Envelope::of(Intention { intends, statistics }))
}
