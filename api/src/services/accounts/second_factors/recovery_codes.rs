//! Recovery codes, for a user who has lost the other second factors. Each code has 120 random bits
//! and can be used once.

use super::{ChangingSession, complete_change, proof_check};
use crate::{
    app::context::Context,
    base::secret::secret_hash,
    domain::{error::ServiceError, user::User},
    services::accounts::security_mails::SecurityEvent,
    storage::{self, second_factors},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// The number of codes of a user.
const CODES: usize = 10;
/// The characters of a code: no vowels, so that no words appear, and no characters that look alike.
const ALPHABET: &[u8; 32] = b"23456789bcdfghjkmnpqrstvwxyzBCDF";

/// Replaces the recovery codes of a user who proved the second factor.
///
/// # Errors
/// A conflict if the user has no second factor. Also the errors of [`proof_check::hold_proved`].
pub async fn renew(
    context: &Context,
    (user, session): (&User, ChangingSession),
) -> Result<Vec<String>, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, (user, session.id)).await?;
    if !second_factors::of_user(&mut tx, user.id).await?.are_set_up() {
        return Err(ServiceError::Conflict("Set up an authenticator app or a passkey first".into()));
    }
    let codes = replace(context, &mut tx, user.id).await?;
    complete_change(context, &mut tx, (&user, session), SecurityEvent::RecoveryCodesRenewed).await?;
    tx.commit().await?;
    Ok(codes)
}

/// Replaces the recovery codes of a user and returns the new ones. Only their hashes are stored.
pub(super) async fn replace(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
) -> Result<Vec<String>, sqlx::Error> {
    let codes: Vec<String> = (0..CODES).map(|_| write_code(context.random.bytes())).collect();
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| hash(code)).collect();
    second_factors::replace_recovery_codes(tx, user_id, &hashes).await?;
    Ok(codes)
}

/// Whether a recovery code is right and was not used before. Records its use.
pub(super) async fn accept(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    code: &str,
) -> Result<bool, sqlx::Error> {
    second_factors::use_recovery_code(tx, user_id, &hash(code), context.clock.now()).await
}

/// Writes 24 random characters in groups of four.
fn write_code(random: [u8; 24]) -> String {
    let characters: Vec<char> =
        random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    let groups: Vec<String> = characters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// The hash of a code, without regard to its groups.
fn hash(code: &str) -> Vec<u8> {
    let plain: String = code.chars().filter(|character| character.is_ascii_alphanumeric()).collect();
    secret_hash(&plain).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_six_groups_and_may_be_typed_without_them() {
        let code = write_code([7; 24]);
        assert_eq!(code, "9999-9999-9999-9999-9999-9999");
        assert_eq!(hash(&code), hash(" 99999999 9999 999999999999"));
        assert_ne!(hash(&code), hash(&write_code([8; 24])));
    }

    #[test]
    fn characters_of_codes_are_different() {
        let mut letters = ALPHABET.to_vec();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), 32);
    }
}
