//! POST /team/join: accepts an invitation to a team.

use super::{OwnTeam, load_team};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::teams,
    storage::users,
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
    (status = 409, description = "The caller belongs to a team, owns one or has a subscription, or all seats are \
        taken", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid", body = FailureBody),
))]
pub async fn join_team(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<Join>,
) -> ApiResult<OwnTeam> {
    let seats = teams::join(&state, &caller, &form.token).await?;
    let caller = users::by_id(&state.db, caller.id, state.clock.now())
        .await?
        .ok_or(ServiceError::NotFound("This invitation"))?;
    Ok(Envelope::with_message("Welcome to the team", load_team(&state, &caller, seats).await?))
}
