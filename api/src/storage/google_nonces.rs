//! Nonces of sign-ins with Google that were used.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;

/// Records that a nonce was used, and removes expired ones. `false`: the nonce was used before.
pub async fn mark_used(
    tx: &mut PgConnection,
    nonce_hash: &[u8],
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query!("delete from used_google_nonce where expires_at <= $1", now.to_sqlx() as SqlTimestamp)
        .execute(&mut *tx)
        .await?;
    let marked = sqlx::query!(
        "insert into used_google_nonce (nonce_hash, expires_at) values ($1, $2) on conflict do nothing",
        nonce_hash,
        expires_at.to_sqlx() as SqlTimestamp,
    );
    Ok(marked.execute(tx).await?.rows_affected() == 1)
}
