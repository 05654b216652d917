//! Attempts, for example with passwords, counted for all processes of the portal (generic cell rate
//! algorithm). Times are in milliseconds since 1970.

use sqlx::{PgConnection, PgExecutor};

/// How many attempts a key may make.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// The number of attempts at once.
    pub count: i64,
    /// The milliseconds in which the allowance grows by one attempt.
    pub refill_ms: i64,
}

/// Counts an attempt of a key. Returns the milliseconds until the next attempt if the key has none left.
pub async fn count(
    db: &mut PgConnection,
    key: &[u8; 32],
    Allowance { count, refill_ms }: Allowance,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    let counted = sqlx::query!(
        "insert into attempt as stored (key, full_at) values ($1, $4::bigint + $3::bigint)
        on conflict (key) do update set full_at = greatest(stored.full_at, $4) + $3
            where stored.full_at - $4 <= ($2::bigint - 1) * $3",
        key.as_slice(),
        count,
        refill_ms,
        now,
    );
    if counted.execute(&mut *db).await?.rows_affected() > 0 {
        return Ok(None);
    }
    let full_at = sqlx::query_scalar!("select full_at from attempt where key = $1", key.as_slice());
    let wait = full_at.fetch_optional(db).await?.map(|full_at| full_at - now - (count - 1) * refill_ms);
    // Another process may have reset the key meanwhile.
    Ok(Some(wait.unwrap_or_default().max(1)))
}

/// Gives a key one attempt back.
pub async fn give_back(
    db: impl PgExecutor<'_>,
    key: &[u8; 32],
    Allowance { refill_ms, .. }: Allowance,
) -> Result<(), sqlx::Error> {
    let taken_back =
        sqlx::query!("update attempt set full_at = full_at - $2 where key = $1", key.as_slice(), refill_ms);
    taken_back.execute(db).await.map(drop)
}

/// Gives a key its whole allowance back.
pub async fn reset(db: impl PgExecutor<'_>, key: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from attempt where key = $1", key.as_slice()).execute(db).await.map(drop)
}

/// Deletes keys whose allowances are full. Returns their number.
pub async fn delete_full(db: impl PgExecutor<'_>, now: i64, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from attempt where key in (select key from attempt where full_at <= $1 limit $2) and full_at <= $1",
        now,
        limit
    );
    Ok(deleted.execute(db).await?.rows_affected())
}
