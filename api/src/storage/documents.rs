//! Documents attached to tenders, and their downloads. The bytes are stored in files by
//! `crate::clients::document_file`.

use crate::domain::document::{Document, UnreadDocument};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use std::collections::HashMap;
use uuid::Uuid;

/// Attaches a document.
pub async fn insert(tx: &mut PgConnection, document: &Document, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into document (id, tender_id, hash, name, media_type, size, text, awaits_text, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        document.id,
        document.tender_id,
        document.hash,
        document.name,
        document.media_type,
        document.size,
        document.text,
        document.awaits_text,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes a document from its tender and deletes its text. Its downloads stay counted.
pub async fn remove(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update document set removed_at = $2, text = null where id = $1 and removed_at is null",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes all documents of an owner and deletes their names and texts.
pub async fn remove_of_owner(
    tx: &mut PgConnection,
    owner_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update document d set removed_at = coalesce(d.removed_at, $2), text = null, name = 'removed'
        from tender t where t.id = d.tender_id and t.owner_id = $1",
        owner_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A document by its id, unless it was removed.
pub async fn get(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Document>, sqlx::Error> {
    sqlx::query_as!(
        Document,
        "select id, tender_id, hash, name, media_type, size, text, awaits_text from document
        where id = $1 and removed_at is null",
        id
    )
    .fetch_optional(db)
    .await
}

/// Claims the oldest document whose text has still to be read. Documents that were claimed after
/// `claimed_before` or `max_attempts` times are left out.
pub async fn claim_unread(
    db: impl PgExecutor<'_>,
    max_attempts: i16,
    claimed_before: Timestamp,
    at: Timestamp,
) -> Result<Option<UnreadDocument>, sqlx::Error> {
    sqlx::query_as!(
        UnreadDocument,
        "update document set text_attempts = text_attempts + 1, text_claimed_at = $3 where id = (
            select id from document
            where awaits_text and removed_at is null and text_attempts < $1
                and (text_claimed_at is null or text_claimed_at < $2)
            order by created_at limit 1 for update skip locked
        ) returning id, tender_id, hash",
        max_attempts,
        claimed_before.to_sqlx() as SqlTimestamp,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await
}

/// Does not count the last attempt to read a document's text.
pub async fn give_attempt_back(db: impl PgExecutor<'_>, id: Uuid) -> Result<(), sqlx::Error> {
    let given = sqlx::query!("update document set text_attempts = text_attempts - 1 where id = $1", id);
    given.execute(db).await.map(drop)
}

/// Stores the text of a document that awaits it. `false`: the document was removed or read meanwhile.
pub async fn set_text(tx: &mut PgConnection, id: Uuid, text: Option<&str>) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "update document set text = $2, awaits_text = false where id = $1 and awaits_text and removed_at is null",
        id,
        text,
    )
    .execute(tx)
    .await?;
    Ok(stored.rows_affected() > 0)
}

/// The hashes of the files attached to a tender, with the ids of the documents.
pub async fn hashes(db: impl PgExecutor<'_>, tender_id: Uuid) -> Result<HashMap<String, Uuid>, sqlx::Error> {
    let rows =
        sqlx::query!("select hash, id from document where tender_id = $1 and removed_at is null", tender_id)
            .fetch_all(db)
            .await?;
    Ok(rows.into_iter().map(|row| (row.hash, row.id)).collect())
}

/// The total size in bytes of the files attached to an owner's tenders.
pub async fn total_size_of_owner(db: impl PgExecutor<'_>, owner_id: Uuid) -> Result<u64, sqlx::Error> {
    let bytes = sqlx::query_scalar!(
        r#"select coalesce(sum(d.size), 0)::bigint as "bytes!" from document d
        join tender t on t.id = d.tender_id where t.owner_id = $1 and d.removed_at is null"#,
        owner_id,
    )
    .fetch_one(db)
    .await?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// The hashes among these that an attached document or a file of a bid still uses.
pub async fn used_hashes(db: impl PgExecutor<'_>, hashes: &[String]) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select hash as "hash!" from document where hash = any($1) and removed_at is null
        union select hash from bid_file where hash = any($1)"#,
        hashes
    )
    .fetch_all(db)
    .await
}

/// Counts a download of a document by a user, at most once per period.
pub async fn count_download(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    document_id: Uuid,
    period: Timestamp,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into document_download (user_id, period_start, document_id, at) values ($1, $2, $3, $4)
        on conflict do nothing",
        user_id,
        period.to_sqlx() as SqlTimestamp,
        document_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}
