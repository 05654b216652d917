//! Which files the rows of the database refer to.

use sqlx::PgExecutor;

/// The folder of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileFolder {
    /// The clips.
    Clips,
    /// The documents, and the files of bids.
    Documents,
    /// The newspaper files and the pictures of their pages.
    NewspaperPages,
}

impl FileFolder {
    /// All folders.
    pub const ALL: [Self; 3] = [Self::Clips, Self::Documents, Self::NewspaperPages];
}

/// A file that a row refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReferredFile {
    /// Its folder.
    pub folder: FileFolder,
    /// The SHA-256 of its content.
    pub hash: String,
    /// The media type of a clip.
    pub media_type: Option<String>,
    /// Its size, if the row contains it.
    pub size: Option<i64>,
    /// The row, for messages to operators.
    pub row: String,
}

/// Up to `limit` files of a folder that rows refer to, after a hash, in the order of their hashes. Each
/// file is listed once.
pub async fn page(
    db: impl PgExecutor<'_>,
    folder: FileFolder,
    after: &str,
    limit: i64,
) -> Result<Vec<ReferredFile>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select distinct on (hash) hash as "hash!", media_type, size, row as "row!" from (
            select hash, media_type, size::bigint, 'clip ' || hash as row from clip where $1 = 0 and hash > $2
            union all
            select hash, null, size, 'document ' || id::text from document
                where $1 = 1 and hash > $2 and removed_at is null
            union all
            select hash, null, size, 'file of a bid ' || id::text from bid_file where $1 = 1 and hash > $2
            union all
            select hash, null, size, 'newspaper file ' || id::text from page_file
                where $1 = 2 and hash > $2 and is_stored
            union all
            select picture, null, null, 'newspaper page ' || id::text from page where $1 = 2 and picture > $2
        ) as file
        order by hash, row limit $3"#,
        folder as i32,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    let files = rows.into_iter().map(|row| ReferredFile {
        folder,
        hash: row.hash,
        media_type: row.media_type,
        size: row.size,
        row: row.row,
    });
    Ok(files.collect())
}

/// Which of these hashes rows of this folder refer to.
pub async fn referred(
    db: impl PgExecutor<'_>,
    folder: FileFolder,
    hashes: &[String],
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select hash as "hash!" from clip where $1 = 0 and hash = any($2)
        union select hash from document where $1 = 1 and hash = any($2) and removed_at is null
        union select hash from bid_file where $1 = 1 and hash = any($2)
        union select hash from page_file where $1 = 2 and hash = any($2) and is_stored
        union select picture from page where $1 = 2 and picture = any($2)"#,
        folder as i32,
        hashes,
    )
    .fetch_all(db)
    .await
}
