//! POST /team/invitations: invites a person to the caller's team by mail.

use super::{OwnTeam, team_of};
use crate::{
    app::state::AppState,
    base::{i18n::mail_texts::MailTexts, secret::secret_hash},
    domain::{
        error::{FieldError, ServiceError},
        team::TeamInvitation,
        validation::Email,
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::{
        entitlement::Entitlement,
        notifications::account_mail::{self, Recipient},
    },
    storage::{teams, users},
};
use axum::{extract::State, http::StatusCode};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use utoipa::ToSchema;

/// How long an invitation is valid.
const INVITATION_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 14);

/// The invitation to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InvitationForm)]
pub struct Form {
    /// The address that gets the link.
    #[schema(format = "email", max_length = 254)]
    email: String,
}

/// Invite a team member
///
/// Inviting the same address again sends a new link and invalidates the old one.
#[utoipa::path(post, path = "/team/invitations", tag = "team", operation_id = "invite", request_body = Form,
security(("session" = [])), responses(
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
    Body(form): Body<Form>,
) -> Result<(StatusCode, Envelope<OwnTeam>), ServiceError> {
    const MAX_PER_HOUR: i64 = 20;
    let seats = Entitlement::of_user(Some(&caller), &state).await?.permit_team()?;
    if caller.team_owner.is_some() {
        return Err(ServiceError::Forbidden("Only the account's owner invites"));
    }
    let email: Email = form
        .email
        .parse()
        .map_err(|message: &'static str| ServiceError::Invalid(vec![FieldError::new("email", message)]))?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    // Serialises requests of one user, for the limit of seats.
    users::lock(&mut tx, caller.id).await?;
    let members = teams::members(&mut *tx, caller.id).await?;
    if members.iter().any(|member| member.email.eq_ignore_ascii_case(email.as_str())) {
        return Err(ServiceError::Conflict("This address belongs to your team already".into()));
    }
    let invited = teams::invitations(&mut *tx, caller.id, now).await?;
    let others = invited.iter().filter(|other| !other.email.eq_ignore_ascii_case(email.as_str())).count();
    if members.len() + others >= seats {
        return Err(ServiceError::Conflict(format!("All {seats} seats of your account are taken")));
    }
    if teams::invited_since(
        &mut *tx,
        caller.id,
        now.saturating_sub(SignedDuration::from_hours(1)).unwrap_or(now),
    )
    .await?
        >= MAX_PER_HOUR
    {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    let token = state.random.secret();
    let invitation = TeamInvitation {
        id: state.random.id(&state.clock),
        email: email.as_str().to_owned(),
        created_at: now,
        expires_at: now.saturating_add(INVITATION_LIFETIME).unwrap_or(Timestamp::MAX),
    };
    teams::invite(&mut tx, caller.id, &invitation, &secret_hash(&token)).await?;
    let words = MailTexts::of(caller.language);
    let name = format!("{} {}", caller.first_name, caller.last_name);
    let company = caller.company.as_deref().unwrap_or(&name);
    let written = words.mails.invitation.fill(&[("name", &name), ("company", &company)]);
    let link = format!("{}/join?token={token}", state.config.base_url());
    let recipient = Recipient::user_at(&caller, email.as_str());
    if !account_mail::seal(&state, &mut tx, recipient, &written.mail(words.reader(), &link)).await? {
        return Err(ServiceError::Invalid(vec![FieldError::new("email", "Invalid email address")]));
    }
    tx.commit().await?;
    let team = team_of(&state, &caller, seats).await?;
    Ok((StatusCode::CREATED, Envelope::with_message("The invitation is on its way", team)))
}
