//! Files of bids. The bytes are stored by `crate::clients::file_store`.

use super::person;
use crate::domain::bid::files::{BidFile, NewBidFile};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// The files of a bid, the newest first.
pub async fn of_bid(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<Vec<BidFile>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select f.id as "id!", f.hash as "hash!", f.name as "name!", f.media_type as "media_type!", f.size as "size!",
            f.created_at as "created_at!: SqlTimestamp",
            u.id as "uploader_id?", u.first_name || ' ' || u.last_name as "uploader_name?"
        from bid_file f left join users u on u.id = f.uploader_id
        where f.bid_id = $1 order by f.created_at desc, f.id desc"#,
        bid_id,
    )
    .fetch_all(db)
    .await?;
    let files = rows.into_iter().map(|row| BidFile {
        id: row.id,
        hash: row.hash,
        name: row.name,
        media_type: row.media_type,
        size: row.size,
        uploader: person(row.uploader_id, row.uploader_name),
        created_at: row.created_at.to_jiff(),
    });
    Ok(files.collect())
}

/// Adds a file to a bid.
pub async fn insert(
    tx: &mut PgConnection,
    (id, bid_id, uploader_id): (Uuid, Uuid, Uuid),
    file: &NewBidFile,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_file (id, bid_id, hash, name, media_type, size, uploader_id, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        bid_id,
        file.hash,
        file.name,
        file.media_type,
        file.size,
        uploader_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes a file of a bid. Its bytes are deleted later, if nothing else uses them.
pub async fn remove(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_file where id = $1", id).execute(tx).await?;
    Ok(())
}

/// The total size in bytes of the files on the board of an account.
pub async fn total_size(db: impl PgExecutor<'_>, account_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select coalesce(sum(f.size), 0)::bigint as "bytes!" from bid_file f
        join bid b on b.id = f.bid_id where b.account_id = $1"#,
        account_id,
    )
    .fetch_one(db)
    .await
}
