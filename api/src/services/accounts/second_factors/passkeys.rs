//! Passkeys (WebAuthn). The authenticator verifies the user, for example by a fingerprint.

use super::{ChangingSession, complete_change, complete_set_up, invalid, proof_check};
use crate::{
    app::context::Context,
    domain::{error::ServiceError, user::User, validation},
    services::accounts::security_mails::SecurityEvent,
    storage::{
        self,
        second_factors::{self, NewPasskey},
    },
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use uuid::Uuid;
use webauthn_rs::{
    Webauthn,
    prelude::{
        CreationChallengeResponse, Passkey, PasskeyAuthentication, PublicKeyCredential,
        RegisterPublicKeyCredential, RequestChallengeResponse,
    },
};

/// The maximum number of passkeys of a user.
const MAX_PASSKEYS: usize = 10;
/// The maximum number of characters of a passkey's name.
const MAX_NAME_LENGTH: usize = 60;
/// How long the browser may take to add a passkey.
const REGISTRATION_LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// The verifier of passkeys.
///
/// # Errors
/// 503 if this portal offers no passkeys.
fn verifier(context: &Context) -> Result<&Webauthn, ServiceError> {
    const NOT_OFFERED: ServiceError = ServiceError::Unavailable("Passkeys are not offered on this portal");
    context.passkeys.verifier().ok_or(NOT_OFFERED)
}

/// Begins to add a passkey. Returns the options for the browser.
///
/// # Errors
/// A conflict if the user has the maximum number of passkeys. Also the errors of [`proof_check::hold_proved`].
pub async fn begin(
    context: &Context,
    caller: (&User, Uuid),
) -> Result<CreationChallengeResponse, ServiceError> {
    let verifier = verifier(context)?;
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, caller).await?;
    let known = second_factors::passkey_credentials(&mut tx, user.id).await?;
    if known.len() >= MAX_PASSKEYS {
        let message = format!("You have {MAX_PASSKEYS} passkeys. Remove one first");
        return Err(ServiceError::Conflict(message));
    }
    let excluded = known.iter().map(|(_, passkey)| passkey.cred_id().clone()).collect();
    let name = format!("{} {}", user.first_name, user.last_name);
    let (options, state) = verifier
        .start_passkey_registration(user.id, &user.email, &name, Some(excluded))
        .map_err(anyhow::Error::from)?;
    let expires_at = context.clock.now().saturating_add(REGISTRATION_LIFETIME).unwrap_or(Timestamp::MAX);
    second_factors::put_passkey_registration(&mut *tx, user.id, &state, expires_at).await?;
    tx.commit().await?;
    Ok(options)
}

/// Adds a passkey. Returns recovery codes if the user had none.
///
/// # Errors
/// Invalid if the name or the browser's answer is not acceptable. Also the errors of
/// [`proof_check::hold_proved`].
pub async fn add(
    context: &Context,
    (user, session): (&User, ChangingSession),
    name: &str,
    answer: &RegisterPublicKeyCredential,
) -> Result<Vec<String>, ServiceError> {
    let verifier = verifier(context)?;
    let name =
        validation::parse_line(name, "Name", MAX_NAME_LENGTH).map_err(|text| invalid("name", &text))?;
    if name.is_empty() {
        return Err(invalid("name", "Name is required"));
    }
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, (user, session.id)).await?;
    let state = second_factors::take_passkey_registration(&mut tx, user.id, now).await?;
    let refused = || invalid("credential", "The passkey could not be added. Please try again");
    let state = state.ok_or_else(refused)?;
    let passkey = verifier.finish_passkey_registration(answer, &state).map_err(|error| {
        tracing::info!(user = %user.id, %error, "a passkey was refused");
        refused()
    })?;
    let new = NewPasskey {
        id: context.random.id(&context.clock),
        user_id: user.id,
        name: &name,
        credential: &passkey,
    };
    if !second_factors::insert_passkey(&mut tx, &new, now).await? {
        return Err(invalid("credential", "This passkey is in use already"));
    }
    let event = SecurityEvent::PasskeyAdded(&name);
    let codes = complete_set_up(context, &mut tx, (&user, session), event).await?;
    tx.commit().await?;
    Ok(codes)
}

/// Removes a passkey.
///
/// # Errors
/// 404 if the user has no such passkey. Also the errors of [`proof_check::hold_proved`].
pub async fn remove(
    context: &Context,
    (user, session): (&User, ChangingSession),
    id: Uuid,
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, (user, session.id)).await?;
    let removed = second_factors::remove_passkey(&mut tx, user.id, id).await?;
    let name = removed.ok_or(ServiceError::NotFound("Passkey"))?;
    second_factors::forget_if_none_is_left(&mut tx, user.id).await?;
    complete_change(context, &mut tx, (&user, session), SecurityEvent::PasskeyRemoved(&name)).await?;
    tx.commit().await?;
    Ok(())
}

/// The challenge for the passkeys of a user. `None`: the user has no passkeys, or this portal no
/// longer offers them.
pub(super) async fn challenge(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
) -> Result<Option<(RequestChallengeResponse, PasskeyAuthentication)>, ServiceError> {
    let Some(verifier) = context.passkeys.verifier() else { return Ok(None) };
    let known = second_factors::passkey_credentials(tx, user_id).await?;
    let known: Vec<Passkey> = known.into_iter().map(|(_, passkey)| passkey).collect();
    if known.is_empty() {
        return Ok(None);
    }
    Ok(Some(verifier.start_passkey_authentication(&known).map_err(anyhow::Error::from)?))
}

/// Whether the browser's answer to the challenge is right. Records the use of the passkey.
pub(super) async fn accept(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    state: &PasskeyAuthentication,
    answer: &PublicKeyCredential,
) -> Result<bool, ServiceError> {
    let result = match verifier(context)?.finish_passkey_authentication(answer, state) {
        Ok(result) => result,
        Err(error) => {
            tracing::info!(user = %user_id, %error, "the answer of a passkey was refused");
            return Ok(false);
        }
    };
    let known = second_factors::passkey_credentials(tx, user_id).await?;
    // The passkey may have been removed after the challenge was sent.
    let used = known.into_iter().find(|(_, passkey)| passkey.cred_id() == result.cred_id());
    let Some((id, mut passkey)) = used else { return Ok(false) };
    passkey.update_credential(&result);
    second_factors::update_passkey(tx, id, &passkey, context.clock.now()).await?;
    Ok(true)
}
