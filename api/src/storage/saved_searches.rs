//! Saved searches.

use crate::domain::saved_search::SavedSearch;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

struct Row {
    id: Uuid,
    user_id: Uuid,
    name: String,
    query: String,
    feed_key: String,
    created_at: SqlTimestamp,
}

impl From<Row> for SavedSearch {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            name: row.name,
            query: row.query,
            feed_key: row.feed_key,
            created_at: row.created_at.to_jiff(),
        }
    }
}

/// Stores a saved search.
pub async fn insert(db: impl PgExecutor<'_>, search: &SavedSearch) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into saved_search (id, user_id, name, query, feed_key, created_at) values ($1, $2, $3, $4, $5, $6)",
        search.id,
        search.user_id,
        search.name,
        search.query,
        search.feed_key,
        search.created_at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Changes the name, the feed key or both of a saved search. Returns `None` if the user has no such
/// search.
pub async fn update(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Uuid,
    name: Option<&str>,
    feed_key: Option<&str>,
) -> Result<Option<SavedSearch>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"update saved_search set name = coalesce($3, name), feed_key = coalesce($4, feed_key)
        where id = $2 and user_id = $1
        returning id, user_id, name, query, feed_key, created_at as "created_at: SqlTimestamp""#,
        user_id,
        id,
        name,
        feed_key,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(SavedSearch::from))
}

/// Deletes a saved search. `false`: the user has no such search.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from saved_search where id = $2 and user_id = $1", user_id, id);
    Ok(done.execute(db).await?.rows_affected() > 0)
}

/// The saved searches of a user, newest first.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Vec<SavedSearch>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, user_id, name, query, feed_key, created_at as "created_at: SqlTimestamp"
        from saved_search where user_id = $1 order by created_at desc, id desc"#,
        user_id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(SavedSearch::from).collect())
}

/// The number of saved searches of a user.
pub async fn count(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from saved_search where user_id = $1"#, user_id)
        .fetch_one(db)
        .await
}

/// The saved search that has this feed key.
pub async fn of_feed(db: impl PgExecutor<'_>, feed_key: &str) -> Result<Option<SavedSearch>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, user_id, name, query, feed_key, created_at as "created_at: SqlTimestamp"
        from saved_search where feed_key = $1"#,
        feed_key,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(SavedSearch::from))
}
