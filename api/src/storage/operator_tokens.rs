//! Operator tokens, stored as hashes. Revoked and expired tokens are kept for the record.

use super::enum_column::decode;
use crate::domain::operator_token::{OperatorToken, TokenScope, TokenState};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

struct Row {
    id: Uuid,
    name: String,
    scopes: Vec<String>,
    created_at: SqlTimestamp,
    expires_at: Option<SqlTimestamp>,
    last_used_at: Option<SqlTimestamp>,
    revoked_at: Option<SqlTimestamp>,
}

impl TryFrom<Row> for OperatorToken {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            name: row.name,
            scopes: decode_scopes(&row.scopes)?,
            created_at: row.created_at.to_jiff(),
            expires_at: row.expires_at.map(SqlTimestamp::to_jiff),
            last_used_at: row.last_used_at.map(SqlTimestamp::to_jiff),
            revoked_at: row.revoked_at.map(SqlTimestamp::to_jiff),
        })
    }
}

fn decode_scopes(scopes: &[String]) -> Result<Vec<TokenScope>, sqlx::Error> {
    scopes.iter().map(|scope| decode("operator_token.scopes", scope)).collect()
}

/// Stores a token with the hash of its secret.
pub async fn insert(db: impl PgExecutor<'_>, token: &OperatorToken, hash: &[u8]) -> Result<(), sqlx::Error> {
    let scopes: Vec<String> = token.scopes.iter().map(|scope| scope.as_str().to_owned()).collect();
    sqlx::query!(
        "insert into operator_token (id, name, token_hash, scopes, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)",
        token.id,
        token.name,
        hash,
        &scopes,
        token.created_at.to_sqlx() as SqlTimestamp,
        token.expires_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A token that was sent with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedToken {
    /// Its id.
    pub id: Uuid,
    /// What it permits.
    pub scopes: Vec<TokenScope>,
    /// From when it is refused. `None`: it does not expire.
    pub expires_at: Option<Timestamp>,
    /// Whether it can be used.
    pub state: TokenState,
}

/// Finds the token with this hash. The use of a token that can be used is recorded, at most once a minute.
pub async fn find_and_mark_used(
    db: impl PgExecutor<'_>,
    hash: &[u8],
    at: Timestamp,
) -> Result<Option<UsedToken>, sqlx::Error> {
    let row = sqlx::query!(
        r#"with found as (
            select id, scopes, last_used_at, expires_at, revoked_at is not null as is_revoked,
                coalesce(expires_at <= $2, false) as is_expired
            from operator_token where token_hash = $1
        ), noted as (
            update operator_token t set last_used_at = $2 from found
            where t.id = found.id and not found.is_expired and not found.is_revoked
                and (found.last_used_at is null or found.last_used_at < $2::timestamptz - interval '1 minute')
        )
        select id, scopes, expires_at as "expires_at: SqlTimestamp", is_revoked as "is_revoked!",
            is_expired as "is_expired!"
        from found"#,
        hash,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let scopes = decode_scopes(&row.scopes)?;
        let state = match (row.is_revoked, row.is_expired) {
            (true, _) => TokenState::Revoked,
            (false, true) => TokenState::Expired,
            (false, false) => TokenState::Live,
        };
        Ok(UsedToken { id: row.id, scopes, expires_at: row.expires_at.map(SqlTimestamp::to_jiff), state })
    })
    .transpose()
}

/// All tokens, oldest first.
pub async fn list(db: impl PgExecutor<'_>) -> Result<Vec<OperatorToken>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, name, scopes, created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp",
            last_used_at as "last_used_at: SqlTimestamp", revoked_at as "revoked_at: SqlTimestamp"
        from operator_token order by id"#
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(OperatorToken::try_from).collect()
}

/// At most `limit` tokens after the token `after`, newest first. `is_live` selects the tokens that
/// can be used at `now`, or the others.
pub async fn page(
    db: impl PgExecutor<'_>,
    is_live: Option<bool>,
    after: Option<Uuid>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<OperatorToken>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, name, scopes, created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp",
            last_used_at as "last_used_at: SqlTimestamp", revoked_at as "revoked_at: SqlTimestamp"
        from operator_token
        where ($1::boolean is null or (revoked_at is null and coalesce(expires_at > $4, true)) = $1)
            and ($2::uuid is null or id < $2)
        order by id desc limit $3"#,
        is_live,
        after,
        limit,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(OperatorToken::try_from).collect()
}

/// Holds the row of a token until the transaction ends.
pub async fn hold(tx: &mut PgConnection, id: Uuid) -> Result<Option<OperatorToken>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, name, scopes, created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp",
            last_used_at as "last_used_at: SqlTimestamp", revoked_at as "revoked_at: SqlTimestamp"
        from operator_token where id = $1 for update"#,
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(OperatorToken::try_from).transpose()
}

/// Revokes a token.
pub async fn revoke(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update operator_token set revoked_at = $2 where id = $1 and revoked_at is null",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Revokes the tokens with a name that are not revoked yet. Returns their number.
pub async fn revoke_named(tx: &mut PgConnection, name: &str, at: Timestamp) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update operator_token set revoked_at = $2 where name = $1 and revoked_at is null",
        name,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}
