//! DELETE /team/invitations/{id}: revokes an invitation.

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

/// Revoke an invitation
#[utoipa::path(delete, path = "/team/invitations/{id}", tag = "team", operation_id = "uninvite",
params(("id" = Uuid, Path, description = "`_id` of the invitation")), security(("session" = [])), responses(
    (status = 200, description = "The invitation is revoked and its link is invalid", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such invitation", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn revoke_invitation(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    match teams::revoke_invitation(&state.db, caller.id, id).await? {
        true => Ok(Envelope::with_message("The invitation was revoked", NoData {})),
        false => Err(ServiceError::NotFound("Invitation")),
    }
}
