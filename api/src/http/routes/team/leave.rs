//! DELETE /team/members/{id}: removes a member from the team, or lets a member leave.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::{self, teams},
};
use axum::extract::State;

/// Remove a team member, or leave the team
///
/// The member's alerts pass to the team's owner.
#[utoipa::path(delete, path = "/team/members/{id}", tag = "team", operation_id = "partFromTeam",
params(("id" = Uuid, Path, description = "`_id` of a member of the caller's team, or of the caller")),
security(("session" = [])), responses(
    (status = 200, description = "The user is no longer a member and now has the free plan",
        body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such member", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn remove_member(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let owner = if id == caller.id { caller.team_owner } else { Some(caller.id) };
    let mut tx = storage::begin(&state.db).await?;
    match owner {
        Some(owner) if teams::leave(&mut tx, owner, id).await? => {}
        _ => return Err(ServiceError::NotFound("Member")),
    }
    tx.commit().await?;
    Ok(Envelope::with_message("The membership has ended", NoData {}))
}
