//! Deliveries: outgoing messages. A digest is open until it is sealed ([`super::digest_queue`]); an
//! account mail is sealed from the start. A sealed message is leased by a sender, and finally sent
//! or dead.

pub mod sending;
pub mod unsent;

use crate::{
    domain::{channel::Channel, digest::DigestKind},
    storage::enum_column::decode,
};
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Language;
use uuid::Uuid;

/// The number of account mails that were sealed for a user after `since`.
pub async fn count_account_mails_since(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery
        where user_id = $1 and sealed_at > $2 and kind = 'letter' and channel = 'email'"#,
        user_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// The recipient and the kind of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addressee {
    /// The delivery.
    pub delivery_id: Uuid,
    /// The recipient's user id.
    pub user_id: Uuid,
    /// The recipient's language.
    pub language: Language,
    /// What the message is about.
    pub kind: DigestKind,
}

/// The recipient of a digest. `None`: there is no such digest, or the account is deleted.
pub async fn addressee(db: impl PgExecutor<'_>, delivery_id: Uuid) -> Result<Option<Addressee>, sqlx::Error> {
    let row = sqlx::query!(
        "select u.id, u.language, d.kind from delivery d join users u on u.id = d.user_id where d.id = $1 and d.kind <> 'letter'",
        delivery_id,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Addressee {
            delivery_id,
            user_id: row.id,
            language: decode("users.language", &row.language)?,
            kind: decode("delivery.kind", &row.kind)?,
        })
    })
    .transpose()
}

/// The final content of an open message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedContent {
    /// The delivery.
    pub id: Uuid,
    /// The message id. In a mail, it is the value of the `Message-ID` header.
    pub message_id: String,
    /// The whole message.
    pub content: Vec<u8>,
}

/// Seals open messages. Their message ids and contents never change afterwards.
pub async fn seal(
    tx: &mut PgConnection,
    messages: Vec<SealedContent>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (mut ids, mut message_ids, mut contents) = (Vec::new(), Vec::new(), Vec::new());
    for message in messages {
        ids.push(message.id);
        message_ids.push(message.message_id);
        contents.push(message.content);
    }
    sqlx::query!(
        "update delivery d set state = 'sealed', message_id = m.message_id, content = m.content, sealed_at = $4, try_at = $4
        from unnest($1::uuid[], $2::text[], $3::bytea[]) as m (id, message_id, content)
        where d.id = m.id and d.state = 'open'",
        &ids,
        &message_ids,
        &contents,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Makes messages due now that were opened or sealed more than `skew` in the future, because a
/// clock was fast. A retry or a lease is reset only if its time is more than `skew` plus 16 hours
/// in the future. 16 hours is the longest delay between attempts. Returns the number of messages.
pub async fn reset_future_times(
    db: impl PgExecutor<'_>,
    now: Timestamp,
    skew: SignedDuration,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update delivery set opened_at = least(opened_at, $1), seal_at = least(seal_at, $1), try_at = least(try_at, $1)
        where (state = 'open' and opened_at > $2) or (state = 'sealed' and try_at > $2)
            or (state in ('retry', 'leased') and try_at > $2 + interval '16 hours')",
        now.to_sqlx() as SqlTimestamp,
        now.saturating_add(skew).unwrap_or(now).to_sqlx() as SqlTimestamp,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// A message that is sealed when it is created.
#[derive(Debug, Clone, Copy)]
pub struct SealedMessage<'a> {
    /// The delivery.
    pub id: Uuid,
    /// Its user. `None`: the operator or a deleted account. A message without a user is deleted
    /// after it was sent or given up.
    pub user_id: Option<Uuid>,
    /// The channel.
    pub channel: Channel,
    /// The recipient's address. It may be unconfirmed, because the message may serve to confirm it.
    pub address: &'a str,
}

/// Stores a sealed message that is due at once.
pub async fn insert_sealed(
    tx: &mut PgConnection,
    message: &SealedMessage<'_>,
    message_id: &str,
    content: &[u8],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at, message_id, content, sealed_at, try_at, is_passing)
        values ($1, $2, 'letter', $7, 'immediate', $3, 'sealed', $6, $6, $4, $5, $6, $6, $2::uuid is null)",
        message.id,
        message.user_id,
        message.address,
        message_id,
        content,
        now.to_sqlx() as SqlTimestamp,
        message.channel.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lets an open message become due later.
pub async fn postpone(tx: &mut PgConnection, id: Uuid, seal_at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set seal_at = $2 where id = $1 and state = 'open'",
        id,
        seal_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes open messages that turned out to have nothing to report.
pub async fn drop_empty(tx: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from delivery where id = any($1) and state = 'open'", ids).execute(tx).await?;
    Ok(())
}

/// Gives up an open message that cannot be composed.
pub async fn abandon(tx: &mut PgConnection, id: Uuid, error: &str) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set state = 'dead', last_error = $2 where id = $1 and state = 'open'",
        id,
        error
    )
    .execute(tx)
    .await?;
    Ok(())
}
