//! Deletes or empties old personal data. Each function handles up to `limit` rows in one statement, and
//! skips rows that are locked. It returns the number of rows.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;

/// Deletes sessions that ended before a moment, with their tokens.
pub async fn delete_sessions(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from session where id in (
            select id from session where begun_at < $1 and least(expires_at, ended_at) < $1
            order by begun_at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Deletes tokens of sessions that were exchanged before a moment.
pub async fn delete_exchanged_tokens(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from refresh_token where id in (
            select id from refresh_token where created_at < $1 and rotated_at < $1
            order by created_at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Deletes links that were used or had expired before a moment.
pub async fn delete_links(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from mailed_link where token_hash in (
            select token_hash from mailed_link where created_at < $1 and least(expires_at, used_at) < $1
            order by created_at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Empties messages that were sent or given up before a moment. Of a sent mail, the head stays. A
/// message that was given up can't be retried afterwards.
pub async fn empty_messages(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    now: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        r#"update delivery d set emptied_at = $2,
            message_id = case when state = 'sent' then message_id end,
            content = case when state = 'sent' then message_head(channel, content) end
        where id in (
            select id from delivery where emptied_at is null and state in ('sent', 'dead')
                and coalesce(sent_at, sealed_at, opened_at) < $1
            order by coalesce(sent_at, sealed_at, opened_at) limit $3 for update skip locked)"#,
        before.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Replaces the guests in views before a moment by hashes of guest and tender. The periods of these views
/// must have ended, so that the guest does not open the tender in the same period again.
pub async fn anonymise_guest_views(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update tender_view v set is_anonymous = true, viewer = case
            when exists (select from users u where u.id = v.viewer) then viewer
            else md5(v.viewer::text || v.tender_id::text)::uuid end
        where (viewer, period_start, tender_id) in (
            select viewer, period_start, tender_id from tender_view where not is_anonymous and at < $1
            order by at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Deletes the record of downloads before a moment.
pub async fn delete_downloads(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from document_download where (user_id, period_start, document_id) in (
            select user_id, period_start, document_id from document_download where at < $1
            limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Deletes messages of the contact form that were answered before a moment.
pub async fn delete_contact_messages(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from contact_message where id in (
            select id from contact_message where answered_at < $1
            order by answered_at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}

/// Deletes events of the payment provider that arrived before a moment and need no attention.
pub async fn delete_payment_events(
    db: impl PgExecutor<'_>,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "delete from payment_event where id in (
            select id from payment_event
            where received_at < $1 and (outcome in ('applied', 'ignored') or settled_at is not null)
            order by received_at limit $2 for update skip locked)",
        before.to_sqlx() as SqlTimestamp,
        limit,
    );
    Ok(done.execute(db).await?.rows_affected())
}
