//! Checks before a change of an account's credentials that the user has proved who they are. Between a
//! proof and the change, the account may change, so the transaction of the change checks again.

use super::invalid;
use crate::{
    app::context::Context,
    domain::{
        error::{NOT_SIGNED_IN, ServiceError},
        user::User,
    },
    services::accounts::session,
    storage::{second_factors, users},
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
