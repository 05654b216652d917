//! Proof of the second factor in an open session. A change of the account's credentials needs a recent
//! one from users who have a second factor: the session may be stolen or left open. Between a proof and
//! the change, the account may change, so the transaction of the change checks the proofs again.

use super::{
    challenge::{self, Answer, Challenge},
    invalid,
};
use crate::{
    app::context::{Context, CredentialContext},
    domain::{
        error::{NOT_SIGNED_IN, ServiceError},
        second_factor::ChallengePurpose,
        user::User,
    },
    services::accounts::{
        security_mails::{self, SecurityEvent},
        session,
    },
    storage::{second_factors, sessions, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// How long a proof is accepted. The user can make several changes one after the other.
const PROOF_LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// Checks that the user has just proved the second factor, at the sign-in or afterwards. A user without
/// a second factor passes.
///
/// # Errors
/// 422 for the field `secondFactor`, which tells the web app to ask for the proof.
pub async fn require(context: &Context, (user, session): (&User, Uuid)) -> Result<(), ServiceError> {
    require_within(context, &context.db, (user.id, session)).await
}

async fn require_within(
    context: &Context,
    db: impl PgExecutor<'_>,
    (user_id, session): (Uuid, Uuid),
) -> Result<(), ServiceError> {
    let after = context.clock.now().saturating_sub(PROOF_LIFETIME).unwrap_or(Timestamp::MIN);
    if second_factors::is_proof_missing(db, user_id, session, after).await? {
        return Err(invalid("secondFactor", "Confirm this change with your second factor"));
    }
    Ok(())
}

/// Locks a user whose proofs were verified until the transaction ends, and checks that the proofs still
/// hold: the session is open, the password and the connection with Google are the same, and the second
/// factor was just proved. Otherwise a change that was verified before a reset of the password could
/// undo the reset. `proved` is the user as verified. Returns the user as stored now.
///
/// # Errors
/// 401 if the session has ended, a conflict if the credentials have changed, and 422 as for [`require`].
pub async fn hold_proved(
    context: &Context,
    tx: &mut PgConnection,
    (proved, session): (&User, Uuid),
) -> Result<User, ServiceError> {
    users::lock(&mut *tx, proved.id).await?;
    let user = session::user_of(context, &mut *tx, proved.id, session).await?.ok_or(NOT_SIGNED_IN)?;
    if (&user.password_hash, user.has_google) != (&proved.password_hash, proved.has_google) {
        return Err(ServiceError::Conflict("Your account has just changed. Please try again.".into()));
    }
    require_within(context, tx, (user.id, session)).await?;
    Ok(user)
}

/// Creates a challenge to prove the second factor in this session.
///
/// # Errors
/// A conflict if the user has no second factor.
pub async fn begin(context: &Context, (user, session): (&User, Uuid)) -> Result<Challenge, ServiceError> {
    let mut tx = context.db.begin().await?;
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
    let mut tx = context.db.begin().await?;
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
    tx.commit().await?;
    credentials.attempts.forget(challenge::attempts_of(&challenge));
    Ok(())
}
