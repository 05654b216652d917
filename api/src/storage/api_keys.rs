//! API keys, stored as hashes, and the number of API calls by user and period. Revoking a key
//! deletes it.

use crate::domain::api_key::ApiKey;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

struct Row {
    id: Uuid,
    name: String,
    prefix: String,
    scopes: Vec<String>,
    created_at: SqlTimestamp,
    last_used_at: Option<SqlTimestamp>,
}

impl From<Row> for ApiKey {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: row.name,
            prefix: row.prefix,
            scopes: row.scopes,
            created_at: row.created_at.to_jiff(),
            last_used_at: row.last_used_at.map(SqlTimestamp::to_jiff),
        }
    }
}

/// Stores an API key by its hash.
pub async fn insert(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    key: &ApiKey,
    hash: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into api_key (id, user_id, name, prefix, key_hash, scopes, created_at) values ($1, $2, $3, $4, $5, $6, $7)",
        key.id,
        user_id,
        key.name,
        key.prefix,
        hash,
        &key.scopes,
        key.created_at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A user's API keys, newest first.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Vec<ApiKey>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, name, prefix, scopes, created_at as "created_at: SqlTimestamp", last_used_at as "last_used_at: SqlTimestamp"
        from api_key where user_id = $1 order by created_at desc, id desc"#,
        user_id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

/// Deletes an API key. `false`: the user has no such key.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from api_key where user_id = $1 and id = $2", user_id, id);
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// Deletes all API keys of a user.
pub async fn remove_all(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from api_key where user_id = $1", user_id).execute(db).await?;
    Ok(())
}

/// Finds an API key by its hash and returns the key's id, owner and scopes. The use of a key is
/// recorded at most once a minute.
pub async fn find_and_mark_used(
    db: impl PgExecutor<'_>,
    hash: &[u8],
    now: Timestamp,
) -> Result<Option<(Uuid, Uuid, Vec<String>)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"with found as (select id, user_id, scopes, last_used_at from api_key where key_hash = $1),
        noted as (
            update api_key k set last_used_at = $2 from found
            where k.id = found.id and (found.last_used_at is null or found.last_used_at < $2::timestamptz - interval '1 minute')
        )
        select id, user_id, scopes from found"#,
        hash,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.user_id, row.scopes)))
}

/// Adds one to the number of API calls of a user in a period.
pub async fn count_call(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    period_start: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into api_call (user_id, period_start, calls) values ($1, $2, 1)
        on conflict (user_id, period_start) do update set calls = api_call.calls + 1",
        user_id,
        period_start.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}
