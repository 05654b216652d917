//! Webhooks for alerts: one per user.

use crate::{
    base::{
        secret_box::{SecretBox, SecretBoxError},
        signing_key::KeyId,
    },
    domain::webhook::{Webhook, WebhookCall, WebhookEndpoint},
    storage::{enum_column::decode, sealed_batch::SealedBatch},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// The label of secrets of webhooks.
const LABEL: &str = "webhook";

/// The webhook of a user.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<Webhook>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select url, failing_since as "failing_since: SqlTimestamp", off_at as "off_at: SqlTimestamp"
        from webhook where user_id = $1"#,
        user_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Webhook {
        url: row.url,
        failing_since: row.failing_since.map(SqlTimestamp::to_jiff),
        off_at: row.off_at.map(SqlTimestamp::to_jiff),
    }))
}

/// Stores the URL of a webhook and switches the webhook on. A new webhook gets the secret of
/// `fresh`; an existing one keeps its secret. Messages to the URL that were given up are sent
/// again. Returns whether the secret is new.
pub async fn put(
    tx: &mut PgConnection,
    user_id: Uuid,
    fresh: &WebhookEndpoint,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let sealed = seal(secrets, &fresh.secret)?;
    let is_new = sqlx::query_scalar!(
        r#"insert into webhook (user_id, url, sealed_secret, created_at) values ($1, $2, $3, $4)
        on conflict (user_id) do update set url = excluded.url, failing_since = null, off_at = null
        returning coalesce(sealed_secret = $3, false) as "is_new!""#,
        user_id,
        fresh.url,
        sealed,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "update delivery set state = 'sealed', attempts = 0, try_at = $3
        where user_id = $1 and channel = 'webhook' and address = $2 and state = 'dead' and content is not null",
        user_id,
        fresh.url,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(is_new)
}

/// Replaces the secret of a webhook. Returns `false` if the user has no webhook.
pub async fn renew_secret(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    secret: &[u8],
    secrets: &SecretBox,
) -> Result<bool, sqlx::Error> {
    let sealed = seal(secrets, secret)?;
    let done = sqlx::query!(
        "update webhook set secret = null, sealed_secret = $2 where user_id = $1",
        user_id,
        sealed
    );
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// Deletes the webhook of a user. `false`: there was none.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from webhook where user_id = $1", user_id);
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// The webhook to which a delivery goes, if the user still has a webhook with the same URL.
pub async fn of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
    secrets: &SecretBox,
) -> Result<Option<WebhookEndpoint>, sqlx::Error> {
    let row = sqlx::query!(
        "select w.url, w.secret, w.sealed_secret
        from delivery d join webhook w on w.user_id = d.user_id and w.url = d.address where d.id = $1",
        delivery_id,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let secret = match (row.secret, row.sealed_secret) {
            (Some(secret), _) => secret,
            (None, sealed) => secrets.open(LABEL, &sealed.unwrap_or_default()).map_err(decode_error)?,
        };
        Ok(WebhookEndpoint { url: row.url, secret })
    })
    .transpose()
}

/// Seals secrets that an earlier version stored in clear, or that are sealed with an earlier key: up to
/// `limit`, of the accounts after `after`. Other processes may do so at the same time.
pub async fn seal_secrets(
    tx: &mut PgConnection,
    secrets: &SecretBox,
    after: Option<Uuid>,
    limit: i64,
) -> Result<SealedBatch, sqlx::Error> {
    let rows = sqlx::query!(
        "select user_id, secret, sealed_secret from webhook
        where (secret is not null or substring(sealed_secret for $1) <> $2)
            and ($3::uuid is null or user_id > $3)
        order by user_id limit $4 for update skip locked",
        i32::try_from(secrets.current_prefix().len()).unwrap_or_default(),
        secrets.current_prefix(),
        after,
        limit,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut batch = SealedBatch { last: rows.last().map(|row| row.user_id), ..SealedBatch::default() };
    for row in rows {
        let secret = match (row.secret, row.sealed_secret) {
            (Some(secret), _) => Ok(secret),
            (None, sealed) => secrets.open(LABEL, &sealed.unwrap_or_default()),
        };
        match secret {
            Ok(secret) => {
                renew_secret(&mut *tx, row.user_id, &secret, secrets).await?;
                batch.sealed += 1;
            }
            Err(error) => batch.unreadable.push((row.user_id, error)),
        }
    }
    Ok(batch)
}

/// The number of secrets that are sealed with this key.
pub async fn count_sealed_with(db: impl PgExecutor<'_>, key: KeyId) -> Result<i64, sqlx::Error> {
    let prefix = SecretBox::prefix_of(key);
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from webhook where substring(sealed_secret for $1) = $2"#,
        i32::try_from(prefix.len()).unwrap_or_default(),
        prefix,
    )
    .fetch_one(db)
    .await
}

fn seal(secrets: &SecretBox, secret: &[u8]) -> Result<Vec<u8>, sqlx::Error> {
    secrets.seal(LABEL, secret).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

fn decode_error(error: SecretBoxError) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}

/// Records that the webhook of a delivery accepted a call.
pub async fn record_success(tx: &mut PgConnection, delivery_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update webhook w set failing_since = null from delivery d
        where d.id = $1 and w.user_id = d.user_id and w.url = d.address and w.failing_since is not null",
        delivery_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that a call to the webhook of a delivery failed. The webhook is switched off if its
/// calls have failed since `off_since` or longer. If so, the webhook's owner is returned.
pub async fn record_failure(
    tx: &mut PgConnection,
    delivery_id: Uuid,
    now: Timestamp,
    off_since: Timestamp,
) -> Result<Option<Uuid>, sqlx::Error> {
    let row = sqlx::query!(
        r#"update webhook w set failing_since = coalesce(w.failing_since, $2),
            off_at = case when coalesce(w.failing_since, $2) <= $3 then $2 end
        from delivery d where d.id = $1 and w.user_id = d.user_id and w.url = d.address and w.off_at is null
        returning w.user_id, w.off_at is not null as "is_off!""#,
        delivery_id,
        now.to_sqlx() as SqlTimestamp,
        off_since.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.filter(|row| row.is_off).map(|row| row.user_id))
}

/// The number of test calls of a user's webhook since a moment.
pub async fn count_tests_since(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery
        where user_id = $1 and channel = 'webhook' and kind = 'letter' and sealed_at > $2"#,
        user_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// The last calls of a user's webhook, newest first. Pending calls are included.
pub async fn calls(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    limit: i64,
) -> Result<Vec<WebhookCall>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, sealed_at as "at!: SqlTimestamp", state, attempts, last_error from delivery
        where user_id = $1 and channel = 'webhook' and sealed_at is not null order by sealed_at desc, id desc limit $2"#,
        user_id,
        limit,
    )
    .fetch_all(db)
    .await?;
    let calls = rows.into_iter().map(|row| {
        Ok(WebhookCall {
            id: row.id,
            at: row.at.to_jiff(),
            state: decode("delivery.state", &row.state)?,
            attempts: row.attempts,
            last_error: row.last_error,
        })
    });
    calls.collect()
}
