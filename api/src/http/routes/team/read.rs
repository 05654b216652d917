//! GET /team: reads the caller's team.

use super::{OwnTeam, load_team};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::entitlement::Entitlement,
};
use axum::extract::State;

/// Read the team
#[utoipa::path(get, path = "/team", tag = "team", operation_id = "team", security(("session" = [])), responses(
    (status = 200, description = "The owner and the members", body = Envelope<OwnTeam>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no team", body = FailureBody),
))]
pub async fn read_team(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<OwnTeam> {
    let seats = Entitlement::of_user(Some(&caller), &state).await?.permit_team()?;
    Ok(Envelope::of(load_team(&state, &caller, seats).await?))
}
