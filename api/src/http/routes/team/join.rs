//! POST /team/join: accepts an invitation to a team.

use super::{OwnTeam, team_of};
use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::{error::ServiceError, user::User},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::entitlement::Entitlement,
    storage::{subscriptions, teams, users},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The invitation to accept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The token of the mailed link.
    #[schema(max_length = 100)]
    token: String,
}

/// Accept an invitation
#[utoipa::path(post, path = "/team/join", tag = "team", operation_id = "joinTeam", request_body = Join,
security(("session" = [])), responses(
    (status = 200, description = "The team that the caller joined", body = Envelope<OwnTeam>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The inviting account's plan no longer includes a team", body = FailureBody),
    (status = 404, description = "The invitation was used or revoked, or has expired", body = FailureBody),
    (status = 409, description = "The caller belongs to a team, owns one or has a subscription, or all seats are taken", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid", body = FailureBody),
))]
pub async fn join_team(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<Join>,
) -> ApiResult<OwnTeam> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("This invitation");
    let (now, hash) = (state.clock.now(), secret_hash(&form.token));
    let owner = teams::inviter(&state.db, &hash, now).await?.ok_or(NOT_FOUND)?;
    let owner: User = users::by_id(&state.db, owner, now).await?.ok_or(NOT_FOUND)?;
    if owner.id == caller.id {
        return Err(ServiceError::Conflict(
            "This is your own invitation: send it to whom you want to invite".into(),
        ));
    }
    let seats = Entitlement::of_user(Some(&owner), &state).await?.permit_team()?;
    let mut tx = state.db.begin().await?;
    // Lock the owner for its seats and the caller for its subscription. The lower id comes first,
    // because two users may invite each other.
    let (first, second) = if owner.id < caller.id { (owner.id, caller.id) } else { (caller.id, owner.id) };
    users::lock(&mut tx, first).await?;
    users::lock(&mut tx, second).await?;
    if teams::owner_of(&mut *tx, caller.id).await?.is_some()
        || teams::members(&mut *tx, caller.id).await?.len() > 1
    {
        return Err(ServiceError::Conflict("You belong to a team already; leave it first".into()));
    }
    if subscriptions::current(&mut *tx, caller.id, now).await?.is_some() {
        return Err(ServiceError::Conflict("You have a subscription of your own; let it end first".into()));
    }
    if teams::members(&mut *tx, owner.id).await?.len() >= seats {
        return Err(ServiceError::Conflict(format!("All {seats} seats of this account are taken")));
    }
    teams::join(&mut tx, caller.id, &hash, now).await?.ok_or(NOT_FOUND)?;
    tx.commit().await?;
    let caller = users::by_id(&state.db, caller.id, now).await?.ok_or(NOT_FOUND)?;
    Ok(Envelope::with_message("Welcome to the team", team_of(&state, &caller, seats).await?))
}
