//! POST /team/invitations: invites a person to the caller's team by mail.

use super::{OwnTeam, load_team};
use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        validation::Email,
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::{entitlement::Entitlement, teams},
};
use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

/// The invitation to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InvitationForm)]
pub struct InvitationForm {
    /// The address that gets the link.
    #[schema(format = "email", max_length = 254)]
    email: String,
}

/// Invite a team member
///
/// Inviting the same address again sends a new link and invalidates the old one.
#[utoipa::path(post, path = "/team/invitations", tag = "team", operation_id = "invite",
request_body = InvitationForm, security(("session" = [])), responses(
    (status = 201, description = "The team with the new invitation", body = Envelope<OwnTeam>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no team, or the caller is not the owner", body = FailureBody),
    (status = 409, description = "All seats are taken, or the address belongs to a member", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The address is invalid", body = FailureBody),
    (status = 429, description = "Too many invitations in the last hour", body = FailureBody),
))]
pub async fn invite(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<InvitationForm>,
) -> Result<(StatusCode, Envelope<OwnTeam>), ServiceError> {
    let seats = Entitlement::of_user(Some(&caller), &state).await?.permit_team()?;
    if caller.team_owner.is_some() {
        return Err(ServiceError::Forbidden("Only the account's owner invites"));
    }
    let email: Email = form
        .email
        .parse()
        .map_err(|message: &'static str| ServiceError::Invalid(vec![FieldError::new("email", message)]))?;
    teams::invite(&state, &caller, &email, seats).await?;
    let team = load_team(&state, &caller, seats).await?;
    Ok((StatusCode::CREATED, Envelope::with_message("The invitation is on its way", team)))
}
