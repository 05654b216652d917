//! Newspaper notices by the key of their place on the page, and the clips they were read from.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// A notice that was published before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The tender made from it.
    pub tender_id: Uuid,
    /// Of what was sent.
    pub content_hash: Vec<u8>,
}

/// A clip's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// `image/jpeg`, `image/png` or `image/webp`.
    pub media_type: String,
    /// Bytes.
    pub size: i32,
}

/// Takes the key until the transaction ends, so that of two publications at once the second sees the first, and
/// answers the notice if it is known.
///
/// # Errors
/// Whatever the database answers.
pub async fn lock(tx: &mut PgConnection, key: &str) -> Result<Option<Notice>, sqlx::Error> {
    sqlx::query_scalar!(r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended($1, 0))"#, key)
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query_as!(Notice, "select tender_id, content_hash from notice where key = $1", key)
        .fetch_optional(tx)
        .await
}

/// Stores a notice, or what it says now.
///
/// # Errors
/// Whatever the database answers.
pub async fn store(
    tx: &mut PgConnection,
    key: &str,
    notice: &Notice,
    clip_hash: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into notice (key, tender_id, content_hash, clip_hash, received_at) values ($1, $2, $3, $4, $5)
        on conflict (key) do update set content_hash = $3, clip_hash = $4, received_at = $5",
        key,
        notice.tender_id,
        notice.content_hash,
        clip_hash,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Makes a clip known; the same clip again changes nothing.
///
/// # Errors
/// Whatever the database answers.
pub async fn store_clip(tx: &mut PgConnection, clip: &Clip, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into clip (hash, media_type, size, created_at) values ($1, $2, $3, $4) on conflict (hash) do nothing",
        clip.hash,
        clip.media_type,
        clip.size,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A known clip.
///
/// # Errors
/// Whatever the database answers.
pub async fn clip(db: impl PgExecutor<'_>, hash: &str) -> Result<Option<Clip>, sqlx::Error> {
    sqlx::query_as!(Clip, "select hash, media_type, size from clip where hash = $1", hash)
        .fetch_optional(db)
        .await
}
