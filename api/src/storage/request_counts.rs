//! Requests, counted for all servers of the portal (generic cell rate algorithm). Times are in microseconds
//! since 1970.

use sqlx::{PgConnection, PgPool};

/// How many requests a key may make.
#[derive(Debug, Clone, Copy)]
pub struct RequestAllowance {
    /// The number of requests at once.
    pub count: i64,
    /// The microseconds in which the allowance grows by one request.
    pub refill_us: i64,
}

/// Counts requests of a key, of which the last one is not permitted yet. Returns `None` if it is permitted.
/// Otherwise, all but the last one are counted, and the result is the microseconds until the next request.
pub async fn count(
    db: &PgPool,
    key: &[u8; 32],
    requests: i64,
    allowance: RequestAllowance,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    let RequestAllowance { count, refill_us } = allowance;
    let mut connection = db.acquire().await?;
    let requests = requests.min(count);
    let counted = sqlx::query!(
        "insert into request_count as stored (key, full_at) values ($1, $5::bigint + $2::bigint * $3::bigint)
        on conflict (key) do update set full_at = greatest(stored.full_at, $5) + $2 * $3
            where stored.full_at - $5 <= ($4::bigint - $2) * $3",
        key.as_slice(),
        requests,
        refill_us,
        count,
        now,
    );
    if counted.execute(&mut *connection).await?.rows_affected() > 0 {
        return Ok(None);
    }
    count_above_limit(&mut connection, key, requests - 1, allowance, now).await
}

/// Counts requests that were permitted although the key has no allowance left. They delay its next request.
async fn count_above_limit(
    connection: &mut PgConnection,
    key: &[u8; 32],
    requests: i64,
    RequestAllowance { count, refill_us }: RequestAllowance,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    let full_at = sqlx::query_scalar!(
        "update request_count set full_at = greatest(full_at, $4) + $2::bigint * $3::bigint where key = $1
        returning full_at",
        key.as_slice(),
        requests,
        refill_us,
        now,
    );
    let full_at = full_at.fetch_optional(connection).await?;
    // The row may have been deleted meanwhile, because its allowance is full again.
    Ok(full_at.map(|full_at| full_at - now - (count - 1) * refill_us).filter(|wait| *wait > 0))
}

/// Deletes keys whose allowances are full. Returns their number.
pub async fn delete_full(db: &PgPool, now: i64, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from request_count where key in (
            select key from request_count where full_at <= $1 limit $2 for update skip locked
        )",
        now,
        limit,
    );
    Ok(deleted.execute(db).await?.rows_affected())
}
