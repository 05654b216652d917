//! Clips that notices were read from. Their bytes are stored in files by
//! `crate::clients::clip_image`.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};

/// The file of a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// The SHA-256 of the file, in 64 hex digits.
    pub hash: String,
    /// `image/jpeg`, `image/png` or `image/webp`.
    pub media_type: String,
    /// Its size in bytes.
    pub size: i32,
}

/// Stores a clip. A clip that is already stored is not changed.
pub async fn store(tx: &mut PgConnection, clip: &Clip, at: Timestamp) -> Result<(), sqlx::Error> {
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

/// A stored clip by its hash.
pub async fn get(db: impl PgExecutor<'_>, hash: &str) -> Result<Option<Clip>, sqlx::Error> {
    sqlx::query_as!(Clip, "select hash, media_type, size from clip where hash = $1", hash)
        .fetch_optional(db)
        .await
}
