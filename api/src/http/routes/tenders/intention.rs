//! PUT and DELETE /tenders/{id}/intention: declares or withdraws the intention to bid.

use super::{TenderCounters, TenderStatistics};
use crate::{
    app::state::AppState,
    domain::error::{Refusal, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    services::entitlement::Entitlement,
    storage::{intentions, tenders},
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::TenderStatus;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's intention, and the tender's statistics.
#[derive(Debug, Serialize, ToSchema)]
pub struct Intention {
    /// Whether the caller intends to bid.
    intends: bool,
    /// The tender's updated statistics.
    statistics: TenderStatistics,
}

/// Declare the intention to bid
///
/// A repeated request changes nothing.
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
        let message = "Please confirm your email address before you say that you intend to bid";
        return Err(Refusal::unverified(message).into());
    }
    intentions::add(&state.db, id, user, state.clock.now()).await?;
    respond(&state, id, true).await
}

/// Withdraw the intention to bid
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
    intentions::remove(&state.db, id, caller.id).await?;
    respond(&state, id, false).await
}

async fn respond(state: &AppState, id: Uuid, intends: bool) -> ApiResult<Intention> {
    let statistics = TenderCounters::load(&state.db, &[id]).await?.of(id);
    Ok(Envelope::of(Intention { intends, statistics }))
}
