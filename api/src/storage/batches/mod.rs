//! Batches of notices that an administrator withdraws: their withdrawals.

pub mod contents;
pub mod progress;
pub mod readers;

use super::enum_column::decode;
use crate::domain::batch::{Batch, BatchWithdrawal, NewWithdrawal, WithdrawalCounts, WithdrawalState};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores a new withdrawal with the keys of its notices.
pub async fn insert(
    tx: &mut PgConnection,
    new: &NewWithdrawal<'_>,
    keys: &[String],
) -> Result<(), sqlx::Error> {
    let (mut file, mut issue, mut sent) = (None, (None, None), (None, None, None));
    match new.batch {
        Batch::File(id) => file = Some(*id),
        Batch::Issue { publication, date } => issue = (Some(publication.as_str()), Some(date.to_sqlx())),
        Batch::Sent { token, from, until } => {
            sent = (Some(*token), Some(from.to_sqlx()), Some(until.to_sqlx()));
        }
    }
    sqlx::query!(
        "insert into batch_withdrawal (id, file_id, file_name, publication, issue_date, token_id, sent_from, sent_until,
            reason, state, started_at, started_by, notices)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'withdrawing', $10, $11, cardinality($12::text[]))",
        new.id,
        file,
        new.file_name,
        issue.0,
        issue.1 as Option<SqlDate>,
        sent.0,
        sent.1 as Option<SqlTimestamp>,
        sent.2 as Option<SqlTimestamp>,
        new.reason,
        new.at.to_sqlx() as SqlTimestamp,
        new.by,
        keys,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into batch_withdrawal_notice (withdrawal_id, notice_key, state)
        select $1, unnest($2::text[]), 'pending'",
        new.id,
        keys
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    file_id: Option<Uuid>,
    name: Option<String>,
    publication: Option<String>,
    issue_date: Option<SqlDate>,
    token_id: Option<Uuid>,
    sent_from: Option<SqlTimestamp>,
    sent_until: Option<SqlTimestamp>,
    reason: String,
    state: String,
    readers_listed: bool,
    started_at: SqlTimestamp,
    started_by: Option<String>,
    finished_at: Option<SqlTimestamp>,
    undone_at: Option<SqlTimestamp>,
    undone_by: Option<String>,
    notices: i32,
    withdrawn_notices: i32,
    skipped_notices: i32,
    restored_notices: i32,
    withdrawn_tenders: i32,
    kept_tenders: i32,
    restored_tenders: i32,
    mailed: i64,
    mailed_undo: i64,
}

impl TryFrom<Row> for BatchWithdrawal {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let issue = row.publication.zip(row.issue_date);
        let sent = row.token_id.zip(row.sent_from.zip(row.sent_until));
        let batch = match (row.file_id, issue, sent) {
            (Some(id), None, None) => Batch::File(id),
            (None, Some((publication, date)), None) => Batch::Issue { publication, date: date.to_jiff() },
            (None, None, Some((token, (from, until)))) => {
                Batch::Sent { token, from: from.to_jiff(), until: until.to_jiff() }
            }
            _ => return Err(sqlx::Error::Decode("a withdrawal is not of one batch".into())),
        };
        Ok(Self {
            id: row.id,
            batch,
            name: row.name,
            reason: row.reason,
            state: decode("batch_withdrawal.state", &row.state)?,
            readers_listed: row.readers_listed,
            started_at: row.started_at.to_jiff(),
            started_by: row.started_by,
            finished_at: row.finished_at.map(SqlTimestamp::to_jiff),
            undone_at: row.undone_at.map(SqlTimestamp::to_jiff),
            undone_by: row.undone_by,
            counts: WithdrawalCounts {
                notices: row.notices,
                withdrawn_notices: row.withdrawn_notices,
                skipped_notices: row.skipped_notices,
                restored_notices: row.restored_notices,
                withdrawn_tenders: row.withdrawn_tenders,
                kept_tenders: row.kept_tenders,
                restored_tenders: row.restored_tenders,
            },
            mailed: row.mailed,
            mailed_undo: row.mailed_undo,
        })
    }
}

/// At most `limit` withdrawals before the withdrawal `after`, latest first.
pub async fn page(
    db: impl PgExecutor<'_>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<BatchWithdrawal>, sqlx::Error> {
    select(db, None, after, limit).await
}

/// A withdrawal.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<BatchWithdrawal>, sqlx::Error> {
    Ok(select(db, Some(id), None, 1).await?.pop())
}

async fn select(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<BatchWithdrawal>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select w.id, w.file_id, coalesce(w.file_name, t.name) as name, w.publication,
            w.issue_date as "issue_date: SqlDate", w.token_id, w.sent_from as "sent_from: SqlTimestamp",
            w.sent_until as "sent_until: SqlTimestamp", w.reason, w.state, w.readers_listed,
            w.started_at as "started_at: SqlTimestamp", starter.email as "started_by?",
            w.finished_at as "finished_at: SqlTimestamp", w.undone_at as "undone_at: SqlTimestamp",
            undoer.email as "undone_by?", w.notices, w.withdrawn_notices, w.skipped_notices, w.restored_notices,
            w.withdrawn_tenders, w.kept_tenders, w.restored_tenders,
            (select count(*) from batch_withdrawal_reader r
                where r.withdrawal_id = w.id and not r.is_undo and r.delivery_id is not null) as "mailed!",
            (select count(*) from batch_withdrawal_reader r
                where r.withdrawal_id = w.id and r.is_undo and r.delivery_id is not null) as "mailed_undo!"
        from batch_withdrawal w
        left join operator_token t on t.id = w.token_id
        left join users starter on starter.id = w.started_by
        left join users undoer on undoer.id = w.undone_by
        where ($1::uuid is null or w.id = $1) and ($2::uuid is null or w.id < $2)
        order by w.id desc limit $3"#,
        id,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(BatchWithdrawal::try_from).collect()
}

/// The withdrawals that are not finished, oldest first.
pub async fn active(db: impl PgExecutor<'_>) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from batch_withdrawal where state not in ('done', 'undone') order by id")
        .fetch_all(db)
        .await
}

/// Locks a withdrawal until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<BatchWithdrawal>, sqlx::Error> {
    let locked = sqlx::query_scalar!("select id from batch_withdrawal where id = $1 for update", id)
        .fetch_optional(&mut *tx)
        .await?;
    if locked.is_none() {
        return Ok(None);
    }
    find(tx, id).await
}

/// Sets how far a withdrawal is. With `finished_at`, everything is done.
pub async fn set_state(
    tx: &mut PgConnection,
    id: Uuid,
    state: WithdrawalState,
    finished_at: Option<Timestamp>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set state = $2, finished_at = $3, readers_listed = false where id = $1",
        id,
        <&str>::from(state),
        finished_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Starts the undo of a withdrawal. The notices that were not yet rejected stay as they are.
pub async fn start_undo(tx: &mut PgConnection, id: Uuid, by: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set state = 'undoing', undone_at = $2, undone_by = $3, finished_at = null,
            readers_listed = false
        where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
        by,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update batch_withdrawal_notice set state = 'skipped' where withdrawal_id = $1 and state = 'pending'",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores the numbers of a withdrawal.
pub async fn set_counts(
    tx: &mut PgConnection,
    id: Uuid,
    counts: WithdrawalCounts,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update batch_withdrawal set withdrawn_notices = $2, skipped_notices = $3, restored_notices = $4,
            withdrawn_tenders = $5, kept_tenders = $6, restored_tenders = $7
        where id = $1",
        id,
        counts.withdrawn_notices,
        counts.skipped_notices,
        counts.restored_notices,
        counts.withdrawn_tenders,
        counts.kept_tenders,
        counts.restored_tenders,
    )
    .execute(tx)
    .await?;
    Ok(())
}
