//! Proof of the second factor in an open session. A change of the account's credentials needs a recent
//! one from users who have a second factor: the session may be stolen or left open.

use super::{
    challenge::{self, Answer, Challenge},
    invalid,
};
use crate::{
    app::context::{Context, CredentialContext},
    domain::{error::ServiceError, second_factor::ChallengePurpose, user::User},
    services::accounts::security_mails::{self, SecurityEvent},
    storage::{self, second_factors, sessions},
};
use uuid::Uuid;

/// Creates a challenge to prove the second factor in this session.
///
/// # Errors
/// A conflict if the user has no second factor.
pub async fn begin(context: &Context, (user, session): (&User, Uuid)) -> Result<Challenge, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let factors = second_factors::of_user(&mut tx, user.id).await?;
    if !factors.are_set_up() {
        return Err(ServiceError::Conflict("Set up an authenticator app or a passkey first".into()));
    }
    let purpose = ChallengePurpose::OpenSession(session);
    let challenge = challenge::begin(context, &mut tx, user.id, &factors, purpose).await?;
    tx.commit().await?;
    Ok(challenge)
}

/// Answers a challenge of this session. Wrong answers are counted for the challenge and the session.
///
/// # Errors
/// 422 if the answer is wrong or the challenge has expired. It is not 401, because the session itself is
/// valid. 429 after too many answers.
pub async fn answer(
    credentials: CredentialContext<'_>,
    (user, session): (&User, Uuid),
    token: &str,
    answer: &Answer,
) -> Result<(), ServiceError> {
    let expired = || invalid("challenge", "This confirmation has expired. Please start again.");
    let context = credentials.context;
    let mut tx = storage::begin(&context.db).await?;
    let challenge = challenge::lock(context, &mut tx, token).await?.ok_or_else(expired)?;
    if challenge.user_id != user.id || challenge.purpose != ChallengePurpose::OpenSession(session) {
        return Err(expired());
    }
    if !challenge::accept(credentials, &mut tx, (token, &challenge), answer).await? {
        tx.commit().await?;
        tracing::info!(user = %user.id, %session, "a wrong second factor was refused in a session");
        return Err(invalid("code", answer.refusal()));
    }
    sessions::mark_second_factor(&mut tx, session, context.clock.now()).await?;
    if matches!(answer, Answer::RecoveryCode(_)) {
        security_mails::seal(context, &mut tx, user, SecurityEvent::RecoveryCodeUsed).await?;
    }
    credentials.attempts.forget_in(&mut tx, challenge::attempts_of(&challenge)).await?;
    tx.commit().await?;
    Ok(())
}
