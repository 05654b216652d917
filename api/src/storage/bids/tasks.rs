//! Tasks of bids.

use super::{super::enum_column::decode, person};
use crate::domain::bid::{BidTask, DueTask, TaskContent};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// The maximum number of tasks in a calendar.
const MAX_DUE_TASKS: i64 = 500;

/// Adds a task to a bid.
pub async fn insert(
    tx: &mut PgConnection,
    (id, bid_id): (Uuid, Uuid),
    content: &TaskContent,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_task (id, bid_id, title, due, assignee_id, created_at) values ($1, $2, $3, $4, $5, $6)",
        id,
        bid_id,
        content.title,
        content.due.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        content.assignee_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Replaces the content of a task, and sets when it was done. A task that stays done keeps its time.
pub async fn update(
    tx: &mut PgConnection,
    id: Uuid,
    content: &TaskContent,
    done_at: Option<Timestamp>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update bid_task set title = $2, due = $3, assignee_id = $4,
            done_at = case when $5::timestamptz is not null then coalesce(done_at, $5) end
        where id = $1",
        id,
        content.title,
        content.due.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        content.assignee_id,
        done_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes a task of a bid.
pub async fn remove(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_task where id = $1", id).execute(tx).await?;
    Ok(())
}

/// The tasks of a bid: those that are not done first, by the day on which they are due.
pub async fn of_bid(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<Vec<BidTask>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select k.id, k.title, k.due as "due: SqlDate", k.done_at as "done_at: SqlTimestamp",
            u.id as "assignee_id?", u.first_name || ' ' || u.last_name as "assignee_name?"
        from bid_task k left join users u on u.id = k.assignee_id
        where k.bid_id = $1
        order by k.done_at is not null, k.due nulls last, k.created_at, k.id"#,
        bid_id,
    )
    .fetch_all(db)
    .await?;
    let tasks = rows.into_iter().map(|row| BidTask {
        id: row.id,
        title: row.title,
        due: row.due.map(SqlDate::to_jiff),
        assignee: person(row.assignee_id, row.assignee_name),
        done_at: row.done_at.map(SqlTimestamp::to_jiff),
    });
    Ok(tasks.collect())
}

/// The tasks of a board that are due on these days and not done, in order. Those of lost and dropped bids are
/// left out.
pub async fn due_between(
    db: impl PgExecutor<'_>,
    account_id: Uuid,
    (from, to): (Day, Day),
) -> Result<Vec<DueTask>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select k.id, k.title, k.due as "due!: SqlDate", b.id as bid_id, b.stage, t.id as tender_id,
            r.record ->> 'title' as "tender_title!", r.record #>> '{organization,name}' as "organization!",
            u.id as "assignee_id?", u.first_name || ' ' || u.last_name as "assignee_name?"
        from bid b
        join bid_task k on k.bid_id = b.id
        join tender t on t.id = b.tender_id
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        left join users u on u.id = k.assignee_id
        where b.account_id = $1 and b.stage in ('considering', 'preparing', 'submitted', 'won') and k.done_at is null
            and k.due between $2 and $3
        order by k.due, k.created_at, k.id limit $4"#,
        account_id,
        from.to_sqlx() as SqlDate,
        to.to_sqlx() as SqlDate,
        MAX_DUE_TASKS,
    )
    .fetch_all(db)
    .await?;
    let tasks = rows.into_iter().map(|row| {
        Ok(DueTask {
            id: row.id,
            title: row.title,
            due: row.due.to_jiff(),
            assignee: person(row.assignee_id, row.assignee_name),
            bid_id: row.bid_id,
            stage: decode("bid.stage", &row.stage)?,
            tender_id: row.tender_id,
            tender_title: row.tender_title,
            organization: row.organization,
        })
    });
    tasks.collect()
}
