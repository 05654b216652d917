//! Authenticator apps, with time-based one-time passwords (TOTP, RFC 6238): six digits, 30 seconds,
//! SHA-1, because common apps ignore other parameters. The codes of the previous and of the next
//! time step are accepted, too. Each code is accepted once.

use super::{ChangingSession, complete_change, complete_set_up, invalid, proof_check};
use crate::{
    app::context::Context,
    domain::{error::ServiceError, user::User},
    services::accounts::security_mails::SecurityEvent,
    storage::{self, second_factors},
};
use anyhow::anyhow;
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use totp_rs::{Builder, Totp};
use uuid::Uuid;

/// The name of the portal in the app.
const ISSUER: &str = "Serendib Tenders";
/// The length of a secret, in bytes, as RFC 4226 recommends.
const SECRET_LENGTH: usize = 20;
/// How long a user may take to confirm an authenticator app.
const SET_UP_LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// What an authenticator app needs.
#[derive(Debug)]
pub struct TotpSetUp {
    /// The secret as Base32, for typing.
    pub secret: String,
    /// The `otpauth` URL, for a QR code.
    pub url: String,
}

/// Creates the secret of an authenticator app. It has no effect until it is confirmed.
///
/// # Errors
/// A conflict if the user has an authenticator app. Also the errors of [`proof_check::hold_proved`].
pub async fn begin(context: &Context, caller: (&User, Uuid)) -> Result<TotpSetUp, ServiceError> {
    let secret: [u8; SECRET_LENGTH] = context.random.bytes();
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, caller).await?;
    let totp = totp(&secret, &user.email)?;
    let (secrets, now) = (&context.secrets, context.clock.now());
    if !second_factors::insert_unconfirmed_totp(&mut tx, user.id, &secret, secrets, now).await? {
        return Err(ServiceError::Conflict("You have set up an authenticator app. Remove it first".into()));
    }
    tx.commit().await?;
    let url = totp.to_url().map_err(|error| anyhow!("{error}"))?;
    Ok(TotpSetUp { secret: totp.secret().to_base32(), url })
}

/// Confirms an authenticator app with one of its codes. Returns recovery codes if the user had none.
///
/// # Errors
/// Invalid if the code is wrong, and a conflict if there is nothing to confirm or it has expired. As for
/// [`proof_check::hold_proved`].
pub async fn confirm(
    context: &Context,
    (user, session): (&User, ChangingSession),
    code: &str,
) -> Result<Vec<String>, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, (user, session.id)).await?;
    let now = context.clock.now();
    let after = now.saturating_sub(SET_UP_LIFETIME).unwrap_or(Timestamp::MIN);
    let secret = second_factors::unconfirmed_totp(&mut *tx, user.id, after, &context.secrets).await?;
    let secret =
        secret.ok_or_else(|| ServiceError::Conflict("Start again to set up an authenticator app".into()))?;
    if !is_right(context, &mut tx, (user.id, &secret), code).await? {
        return Err(invalid("code", "Wrong code. Check the clock of your device"));
    }
    second_factors::confirm_totp(&mut tx, user.id, now).await?;
    let codes = complete_set_up(context, &mut tx, (&user, session), SecurityEvent::TotpAdded).await?;
    tx.commit().await?;
    Ok(codes)
}

/// Removes the authenticator app of a user.
///
/// # Errors
/// 404 if there is none. Also the errors of [`proof_check::hold_proved`].
pub async fn remove(
    context: &Context,
    (user, session): (&User, ChangingSession),
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, (user, session.id)).await?;
    if !second_factors::remove_totp(&mut tx, user.id).await? {
        return Err(ServiceError::NotFound("Authenticator app"));
    }
    second_factors::forget_if_none_is_left(&mut tx, user.id).await?;
    complete_change(context, &mut tx, (&user, session), SecurityEvent::TotpRemoved).await?;
    tx.commit().await?;
    Ok(())
}

/// Whether a code of the user's confirmed authenticator app is right and was not used before. Records its
/// use.
pub(super) async fn accept(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    code: &str,
) -> Result<bool, ServiceError> {
    match second_factors::confirmed_totp(&mut *tx, user_id, &context.secrets).await? {
        Some(secret) => is_right(context, tx, (user_id, &secret), code).await,
        None => Ok(false),
    }
}

/// Whether a code of the user's secret is right and was not used before. Records its use.
async fn is_right(
    context: &Context,
    tx: &mut PgConnection,
    (user_id, secret): (Uuid, &[u8]),
    code: &str,
) -> Result<bool, ServiceError> {
    let digits: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    let now = u64::try_from(context.clock.now().as_second()).unwrap_or_default();
    let Some(step) = totp(secret, "")?.check(&digits, now) else { return Ok(false) };
    Ok(second_factors::use_totp_step(tx, user_id, i64::try_from(step).unwrap_or(i64::MAX)).await?)
}

/// The generator of a secret's codes. Apps show the account's name.
fn totp(secret: &[u8], account: &str) -> anyhow::Result<Totp> {
    // A colon separates the issuer from the account in the URL.
    let account = account.replace(':', " ");
    let builder = Builder::new().with_secret(secret.to_vec()).with_account_name(account);
    builder.with_issuer(Some(ISSUER)).build().map_err(|error| anyhow!("{error}"))
}
