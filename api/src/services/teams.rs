//! Teams: inviting users, and joining by an invitation.

use crate::{
    app::context::Context,
    base::{i18n::mail_texts::MailTexts, secret::secret_hash},
    domain::{
        error::{FieldError, ServiceError},
        team::TeamInvitation,
        user::User,
        validation::{self, Email},
    },
    services::{
        entitlement::Entitlement,
        notifications::account_mail::{self, Recipient},
    },
    storage::{self, subscriptions, teams, users},
};
use jiff::{SignedDuration, Timestamp};

/// How long an invitation is valid.
const INVITATION_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 14);
/// The number of invitations that an owner may send in an hour.
const MAX_INVITATIONS_PER_HOUR: i64 = 20;
/// The maximum length of the owner's name and company in an invitation, in characters.
const MAX_INVITER_LENGTH: usize = 80;

/// Invites the holder of an address by mail to the team of `owner`. The owner, the members and the
/// open invitations together take at most `seats` seats. Inviting the same address again sends a
/// new link and invalidates the old one.
///
/// # Errors
///
/// 409 if the address belongs to a member or all seats are taken. 422 if no mail to the address can
/// be composed. 429 after too many invitations.
pub async fn invite(
    context: &Context,
    owner: &User,
    email: &Email,
    seats: usize,
) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    // Invitations of one owner run one at a time, so that they cannot exceed the seats together.
    users::lock(&mut tx, owner.id).await?;
    let members = teams::members(&mut *tx, owner.id).await?;
    if members.iter().any(|member| member.email.eq_ignore_ascii_case(email.as_str())) {
        return Err(ServiceError::Conflict("This address belongs to your team already".into()));
    }
    let invited = teams::invitations(&mut *tx, owner.id, now).await?;
    let others = invited.iter().filter(|other| !other.email.eq_ignore_ascii_case(email.as_str())).count();
    if members.len() + others >= seats {
        return Err(ServiceError::Conflict(format!("All {seats} seats of your account are taken")));
    }
    if teams::count_invitations_since(
        &mut *tx,
        owner.id,
        now.saturating_sub(SignedDuration::from_hours(1)).unwrap_or(now),
    )
    .await?
        >= MAX_INVITATIONS_PER_HOUR
    {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    let token = context.random.secret();
    let invitation = TeamInvitation {
        id: context.random.id(&context.clock),
        email: email.as_str().to_owned(),
        created_at: now,
        expires_at: now.saturating_add(INVITATION_LIFETIME).unwrap_or(Timestamp::MAX),
    };
    teams::invite(&mut tx, owner.id, &invitation, &secret_hash(&token)).await?;
    let words = MailTexts::of(owner.language);
    let written = match plain_names(owner) {
        Some((name, company)) => words.mails.invitation.fill(&[("name", &name), ("company", &company)]),
        None => words.mails.invitation_without_names.fill(&[]),
    };
    let link = format!("{}/join?token={token}", context.config.base_url());
    let recipient = Recipient::unconfirmed(owner, email.as_str());
    if !account_mail::seal(context, &mut tx, recipient, &written.mail(words.reader(), &link)).await? {
        return Err(ServiceError::Invalid(vec![FieldError::new("email", "Invalid email address")]));
    }
    tx.commit().await?;
    Ok(())
}

/// The name and the company of a team's owner. `None` if they could carry a message to the invited
/// stranger, or if nobody has confirmed the owner's address.
fn plain_names(owner: &User) -> Option<(String, String)> {
    let name = format!("{} {}", owner.first_name, owner.last_name).trim().to_owned();
    let company = owner.company.clone().unwrap_or_else(|| name.clone());
    let is_plain = |text: &str| {
        text.chars().count() <= MAX_INVITER_LENGTH
            && !validation::has_address(text)
            && !text.contains(|letter: char| letter.is_numeric() || "!?:;|+$€£".contains(letter))
    };
    (owner.email_verified && is_plain(&name) && is_plain(&company)).then_some((name, company))
}

/// Adds a user to the team that the invitation with this token is for. Returns the team's number of
/// seats.
///
/// # Errors
///
/// 403 if the owner's plan no longer includes a team, 404 if the invitation is invalid. 409 if the
/// user is the owner, has a team or a subscription, or all seats are taken.
pub async fn join(context: &Context, user: &User, token: &str) -> Result<usize, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("This invitation");
    let (now, hash) = (context.clock.now(), secret_hash(token));
    let owner = teams::inviter(&context.db, &hash, now).await?.ok_or(NOT_FOUND)?;
    let owner: User = users::by_id(&context.db, owner, now).await?.ok_or(NOT_FOUND)?;
    if owner.is_locked {
        return Err(NOT_FOUND);
    }
    if owner.id == user.id {
        return Err(ServiceError::Conflict(
            "This is your own invitation: send it to whom you want to invite".into(),
        ));
    }
    let seats = Entitlement::of_user(Some(&owner), context).await?.permit_team()?;
    let mut tx = storage::begin(&context.db).await?;
    // The lock on the owner protects the number of seats. The lock on the user protects the user's
    // subscription. The lower id is locked first, so that two users who accept each other's
    // invitations at once do not deadlock.
    let (first, second) = if owner.id < user.id { (owner.id, user.id) } else { (user.id, owner.id) };
    users::lock(&mut tx, first).await?;
    users::lock(&mut tx, second).await?;
    if teams::owner_of(&mut *tx, user.id).await?.is_some()
        || teams::members(&mut *tx, user.id).await?.len() > 1
    {
        return Err(ServiceError::Conflict("You belong to a team already; leave it first".into()));
    }
    if subscriptions::current(&mut *tx, user.id, now).await?.is_some() {
        return Err(ServiceError::Conflict("You have a subscription of your own; let it end first".into()));
    }
    if teams::members(&mut *tx, owner.id).await?.len() >= seats {
        return Err(ServiceError::Conflict(format!("All {seats} seats of this account are taken")));
    }
    teams::join(&mut tx, user.id, &hash, now).await?.ok_or(NOT_FOUND)?;
    tx.commit().await?;
    Ok(seats)
}
