//! DELETE /team/members/{id}: the owner removes a member, or a member leaves.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::teams,
};
use axum::extract::State;

/// Remove a team member, or leave
///
/// The member's alerts stay with the owner.
#[utoipa::path(delete, path = "/team/members/{id}", tag = "team", operation_id = "partFromTeam",
params(("id" = Uuid, Path, description = "`_id` of the member: one of the caller's, or the caller")), security(("session" = [])), responses(
    (status = 200, description = "A user of its own from now on, without a plan", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such member", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn part_from_team(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let owner = if id == caller.id { caller.team_owner } else { Some(caller.id) };
    let mut tx = state.db.begin().await?;
    match owner {
        Some(owner) if teams::leave(&mut tx, owner, id).await? => {}
        _ => return Err(ServiceError::NotFound("Member")),
    }
    tx.commit().await?;
    Ok(Envelope::saying("The membership has ended", NoData {}))
}
