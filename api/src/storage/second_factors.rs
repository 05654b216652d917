//! Second factors, and challenges to prove one.

use crate::base::{secret_box::SecretBox, signing_key::KeyId};
use crate::domain::second_factor::{
    ChallengePurpose, ListedPasskey, PendingSignIn, SecondFactors, StoredChallenge,
};
use crate::storage::sealed_batch::SealedBatch;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;
use webauthn_rs::prelude::{Passkey, PasskeyAuthentication, PasskeyRegistration};

/// The purpose that the secrets of authenticator apps are encrypted for.
const TOTP_LABEL: &str = "totp";

/// The second factors of a user.
pub async fn of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<SecondFactors, sqlx::Error> {
    let row = sqlx::query!(
        r#"select (select confirmed_at from totp where user_id = $1) as "totp_since: SqlTimestamp",
            (select count(*) from recovery_code where user_id = $1 and used_at is null) as "codes!""#,
        user_id,
    )
    .fetch_one(&mut *tx)
    .await?;
    let passkeys = sqlx::query!(
        r#"select id, name, created_at as "created_at: SqlTimestamp", used_at as "used_at: SqlTimestamp"
        from passkey where user_id = $1 order by id"#,
        user_id,
    )
    .fetch_all(tx)
    .await?;
    let listed = passkeys.into_iter().map(|row| ListedPasskey {
        id: row.id,
        name: row.name,
        created_at: row.created_at.to_jiff(),
        used_at: row.used_at.map(SqlTimestamp::to_jiff),
    });
    Ok(SecondFactors {
        totp_since: row.totp_since.map(SqlTimestamp::to_jiff),
        passkeys: listed.collect(),
        recovery_codes_left: row.codes,
    })
}

/// Whether a user has a second factor, but did not prove it in this session after a moment.
pub async fn is_proof_missing(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    session: Uuid,
    after: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select (exists (select from totp where user_id = $1 and confirmed_at is not null)
                or exists (select from passkey where user_id = $1))
            and not exists (select from session where id = $2 and user_id = $1 and second_factor_at > $3)
            as "is_missing!""#,
        user_id,
        session,
        after.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Stores the secret of an authenticator app that the user has not confirmed yet. Replaces an
/// unconfirmed one. `false`: the user has a confirmed one, and nothing is stored.
pub async fn insert_unconfirmed_totp(
    tx: &mut PgConnection,
    user_id: Uuid,
    secret: &[u8],
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into totp (user_id, secret, created_at) values ($1, $2, $3)
        on conflict (user_id) do update set secret = $2, created_at = $3, last_step = 0
            where totp.confirmed_at is null",
        user_id,
        seal(secrets, secret)?,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(stored.execute(tx).await?.rows_affected() == 1)
}

/// The secret of the authenticator app that a user has confirmed.
pub async fn confirmed_totp(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    secrets: &SecretBox,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    let sealed = sqlx::query_scalar!(
        "select secret from totp where user_id = $1 and confirmed_at is not null",
        user_id,
    );
    sealed.fetch_optional(db).await?.map(|sealed| open(secrets, &sealed)).transpose()
}

/// The secret of the authenticator app that a user began to set up after a moment and has not
/// confirmed yet.
pub async fn unconfirmed_totp(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    after: Timestamp,
    secrets: &SecretBox,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    let sealed = sqlx::query_scalar!(
        "select secret from totp where user_id = $1 and confirmed_at is null and created_at > $2",
        user_id,
        after.to_sqlx() as SqlTimestamp,
    );
    sealed.fetch_optional(db).await?.map(|sealed| open(secrets, &sealed)).transpose()
}

/// Seals secrets of authenticator apps with the current key that are sealed with an earlier one: up to
/// `limit`, of the accounts after `after`.
pub async fn seal_totp_secrets(
    tx: &mut PgConnection,
    secrets: &SecretBox,
    after: Option<Uuid>,
    limit: i64,
) -> Result<SealedBatch, sqlx::Error> {
    let prefix = secrets.current_prefix();
    let rows = sqlx::query!(
        "select user_id, secret from totp
        where substring(secret for $1) <> $2 and ($3::uuid is null or user_id > $3)
        order by user_id limit $4 for update skip locked",
        i32::try_from(prefix.len()).unwrap_or_default(),
        prefix,
        after,
        limit,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut batch = SealedBatch { last: rows.last().map(|row| row.user_id), ..SealedBatch::default() };
    for row in rows {
        match secrets.open(TOTP_LABEL, &row.secret) {
            Ok(secret) => {
                let sealed = seal(secrets, &secret)?;
                sqlx::query!("update totp set secret = $2 where user_id = $1", row.user_id, sealed)
                    .execute(&mut *tx)
                    .await?;
                batch.sealed += 1;
            }
            Err(error) => batch.unreadable.push((row.user_id, error)),
        }
    }
    Ok(batch)
}

/// The number of secrets of authenticator apps that are sealed with this key.
pub async fn count_totp_sealed_with(db: impl PgExecutor<'_>, key: KeyId) -> Result<i64, sqlx::Error> {
    let prefix = SecretBox::prefix_of(key);
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from totp where substring(secret for $1) = $2"#,
        i32::try_from(prefix.len()).unwrap_or_default(),
        prefix,
    )
    .fetch_one(db)
    .await
}

fn seal(secrets: &SecretBox, secret: &[u8]) -> Result<Vec<u8>, sqlx::Error> {
    secrets.seal(TOTP_LABEL, secret).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

fn open(secrets: &SecretBox, sealed: &[u8]) -> Result<Vec<u8>, sqlx::Error> {
    secrets.open(TOTP_LABEL, sealed).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// Marks an authenticator app as confirmed.
pub async fn confirm_totp(tx: &mut PgConnection, user_id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update totp set confirmed_at = coalesce(confirmed_at, $2) where user_id = $1",
        user_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that the code of a time step was used. `false`: the code of this or a later step was used
/// before.
pub async fn use_totp_step(tx: &mut PgConnection, user_id: Uuid, step: i64) -> Result<bool, sqlx::Error> {
    let used =
        sqlx::query!("update totp set last_step = $2 where user_id = $1 and last_step < $2", user_id, step);
    Ok(used.execute(tx).await?.rows_affected() == 1)
}

/// Removes the authenticator app of a user. Returns whether a confirmed one was removed.
pub async fn remove_totp(tx: &mut PgConnection, user_id: Uuid) -> Result<bool, sqlx::Error> {
    let removed = sqlx::query_scalar!(
        r#"delete from totp where user_id = $1 returning confirmed_at is not null as "was_confirmed!""#,
        user_id,
    );
    Ok(removed.fetch_optional(tx).await?.unwrap_or(false))
}

/// The credentials of a user's passkeys, with their ids.
pub async fn passkey_credentials(
    tx: &mut PgConnection,
    user_id: Uuid,
) -> Result<Vec<(Uuid, Passkey)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, credential as "credential: Json<Passkey>" from passkey where user_id = $1 order by id"#,
        user_id,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.credential.0)).collect())
}

/// A passkey to store.
#[derive(Debug, Clone, Copy)]
pub struct NewPasskey<'a> {
    /// Its id.
    pub id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// The name that the user chose.
    pub name: &'a str,
    /// The credential.
    pub credential: &'a Passkey,
}

/// Stores a passkey. `false`: the credential is stored already.
pub async fn insert_passkey(
    tx: &mut PgConnection,
    new: &NewPasskey<'_>,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into passkey (id, user_id, credential_id, name, credential, created_at)
        values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing",
        new.id,
        new.user_id,
        new.credential.cred_id().as_slice(),
        new.name,
        Json(new.credential) as _,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(stored.execute(tx).await?.rows_affected() == 1)
}

/// Stores the credential of a passkey after its use.
pub async fn update_passkey(
    tx: &mut PgConnection,
    id: Uuid,
    credential: &Passkey,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update passkey set credential = $2, used_at = $3 where id = $1",
        id,
        Json(credential) as _,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes a passkey of a user. Returns its name. `None`: the user has no such passkey.
pub async fn remove_passkey(
    tx: &mut PgConnection,
    user_id: Uuid,
    id: Uuid,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("delete from passkey where user_id = $1 and id = $2 returning name", user_id, id)
        .fetch_optional(tx)
        .await
}

/// Stores the challenge of a passkey that a user is adding.
pub async fn put_passkey_registration(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    state: &PasskeyRegistration,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into passkey_registration (user_id, state, expires_at) values ($1, $2, $3)
        on conflict (user_id) do update set state = $2, expires_at = $3",
        user_id,
        Json(state) as _,
        expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Removes the challenge of the passkey that a user is adding, and returns it. `None`: there is none,
/// or it has expired.
pub async fn take_passkey_registration(
    tx: &mut PgConnection,
    user_id: Uuid,
    now: Timestamp,
) -> Result<Option<PasskeyRegistration>, sqlx::Error> {
    let row = sqlx::query!(
        r#"delete from passkey_registration where user_id = $1
        returning state as "state: Json<PasskeyRegistration>", expires_at > $2 as "is_valid!""#,
        user_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.filter(|row| row.is_valid).map(|row| row.state.0))
}

/// Removes the second factors that a user has begun to set up and not completed.
pub async fn remove_unfinished_set_ups(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from totp where user_id = $1 and confirmed_at is null", user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from passkey_registration where user_id = $1", user_id).execute(tx).await?;
    Ok(())
}

/// Replaces the recovery codes of a user.
pub async fn replace_recovery_codes(
    tx: &mut PgConnection,
    user_id: Uuid,
    hashes: &[Vec<u8>],
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from recovery_code where user_id = $1", user_id).execute(&mut *tx).await?;
    sqlx::query!(
        "insert into recovery_code (user_id, code_hash) select $1, unnest($2::bytea[])",
        user_id,
        hashes,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Marks a recovery code as used. `false`: the user has no such code, or it was used before.
pub async fn use_recovery_code(
    tx: &mut PgConnection,
    user_id: Uuid,
    hash: &[u8],
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let used = sqlx::query!(
        "update recovery_code set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
        user_id,
        hash,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(used.execute(tx).await?.rows_affected() == 1)
}

/// Removes all second factors of a user, completed or not. Sessions no longer count as proved by a second
/// factor. Returns whether there were any completed ones.
pub async fn remove_all(tx: &mut PgConnection, user_id: Uuid) -> Result<bool, sqlx::Error> {
    remove_unfinished_set_ups(&mut *tx, user_id).await?;
    let totp = sqlx::query!("delete from totp where user_id = $1", user_id).execute(&mut *tx).await?;
    let passkeys = sqlx::query!("delete from passkey where user_id = $1", user_id).execute(&mut *tx).await?;
    forget_if_none_is_left(tx, user_id).await?;
    Ok(totp.rows_affected() + passkeys.rows_affected() > 0)
}

/// If the user has no second factor any more, removes the recovery codes and the challenges,
/// and no session counts as proved by a second factor.
pub async fn forget_if_none_is_left(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    if of_user(&mut *tx, user_id).await?.are_set_up() {
        return Ok(());
    }
    sqlx::query!("delete from recovery_code where user_id = $1", user_id).execute(&mut *tx).await?;
    sqlx::query!("delete from sign_in_challenge where user_id = $1", user_id).execute(&mut *tx).await?;
    sqlx::query!("update session set second_factor_at = null where user_id = $1", user_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Stores a challenge, and removes expired ones.
pub async fn insert_challenge(
    tx: &mut PgConnection,
    token_hash: &[u8],
    challenge: &StoredChallenge<PasskeyAuthentication>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (sign_in, session) = match &challenge.purpose {
        ChallengePurpose::SignIn(sign_in) => (sign_in.clone(), None),
        ChallengePurpose::OpenSession(session) => (PendingSignIn::default(), Some(*session)),
    };
    sqlx::query!("delete from sign_in_challenge where expires_at <= $1", now.to_sqlx() as SqlTimestamp)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "insert into sign_in_challenge (token_hash, user_id, user_agent, is_remembered, has_short_password,
            session_id, passkey_state, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        token_hash,
        challenge.user_id,
        sign_in.user_agent,
        sign_in.is_remembered,
        sign_in.has_short_password,
        session,
        challenge.passkey_state.as_ref().map(Json) as _,
        challenge.expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Finds a challenge and locks it until the transaction ends. `None`: it is unknown or has expired.
pub async fn lock_challenge(
    tx: &mut PgConnection,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<StoredChallenge<PasskeyAuthentication>>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select user_id, user_agent, is_remembered, has_short_password, session_id,
            passkey_state as "passkey_state: Json<PasskeyAuthentication>", expires_at as "expires_at: SqlTimestamp"
        from sign_in_challenge where token_hash = $1 and expires_at > $2 for update"#,
        token_hash,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| StoredChallenge {
        user_id: row.user_id,
        purpose: match row.session_id {
            Some(session) => ChallengePurpose::OpenSession(session),
            None => ChallengePurpose::SignIn(PendingSignIn {
                user_agent: row.user_agent,
                is_remembered: row.is_remembered,
                has_short_password: row.has_short_password,
            }),
        },
        passkey_state: row.passkey_state.map(|state| state.0),
        expires_at: row.expires_at.to_jiff(),
    }))
}

/// Counts a wrong answer to a challenge. After `limit` wrong answers, the challenge is removed.
pub async fn count_wrong_answer(
    tx: &mut PgConnection,
    token_hash: &[u8],
    limit: i32,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sign_in_challenge set wrong_answers = wrong_answers + 1 where token_hash = $1",
        token_hash
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from sign_in_challenge where token_hash = $1 and wrong_answers >= $2",
        token_hash,
        limit
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes a challenge.
pub async fn remove_challenge(tx: &mut PgConnection, token_hash: &[u8]) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sign_in_challenge where token_hash = $1", token_hash).execute(tx).await?;
    Ok(())
}

/// Removes all challenges of a user.
pub async fn remove_challenges_of(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sign_in_challenge where user_id = $1", user_id).execute(tx).await?;
    Ok(())
}
