//! The canary's account, tender and runs. The id of the tender is [`CANARY_ID`].

use super::changes::{NewRevision, Subject};
use crate::domain::canary::{CanaryRun, CanaryStep};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::tender::{CANARY_ID, Tender};
use uuid::Uuid;

/// Locks the canary until the transaction ends, and returns since when administrators know that it
/// is late. The outer `None` means that another process has locked it.
pub async fn lock(tx: &mut PgConnection) -> Result<Option<Option<Timestamp>>, sqlx::Error> {
    let row = sqlx::query_scalar!(
        r#"select reported_at as "at: SqlTimestamp" from canary_state for update skip locked"#
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|at| at.map(SqlTimestamp::to_jiff)))
}

/// Records since when administrators know that the canary is late. `None`: they know that it works.
pub async fn record_report(db: impl PgExecutor<'_>, at: Option<Timestamp>) -> Result<(), sqlx::Error> {
    sqlx::query!("update canary_state set reported_at = $1", at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>)
        .execute(db)
        .await?;
    Ok(())
}

/// The latest runs, newest first.
pub async fn latest_runs(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<CanaryRun>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, alert_id, expects_arrival, started_at as "started_at: SqlTimestamp",
            indexed_at as "indexed_at: SqlTimestamp", matched_at as "matched_at: SqlTimestamp",
            sent_at as "sent_at: SqlTimestamp", arrived_at as "arrived_at: SqlTimestamp"
        from canary_run order by started_at desc, id desc limit $1"#,
        limit
    )
    .fetch_all(db)
    .await?;
    let runs = rows.into_iter().map(|row| CanaryRun {
        id: row.id,
        alert_id: row.alert_id,
        expects_arrival: row.expects_arrival,
        started_at: row.started_at.to_jiff(),
        indexed_at: row.indexed_at.map(SqlTimestamp::to_jiff),
        matched_at: row.matched_at.map(SqlTimestamp::to_jiff),
        sent_at: row.sent_at.map(SqlTimestamp::to_jiff),
        arrived_at: row.arrived_at.map(SqlTimestamp::to_jiff),
    });
    Ok(runs.collect())
}

/// When the last run began that has passed all steps.
pub async fn last_success(db: impl PgExecutor<'_>) -> Result<Option<Timestamp>, sqlx::Error> {
    let at = sqlx::query_scalar!(
        r#"select max(started_at) as "at: SqlTimestamp" from canary_run
        where indexed_at is not null and matched_at is not null and sent_at is not null
            and (arrived_at is not null or not expects_arrival)"#
    )
    .fetch_one(db)
    .await?;
    Ok(at.map(SqlTimestamp::to_jiff))
}

/// Stores a new run.
pub async fn insert_run(tx: &mut PgConnection, run: &CanaryRun) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into canary_run (id, alert_id, expects_arrival, started_at) values ($1, $2, $3, $4)",
        run.id,
        run.alert_id,
        run.expects_arrival,
        run.started_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that a run has passed a step, unless this is recorded already.
pub async fn record_step(
    db: impl PgExecutor<'_>,
    run: Uuid,
    step: CanaryStep,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let step: &str = step.into();
    sqlx::query!(
        "update canary_run set
            indexed_at = case when $2 = 'index' then coalesce(indexed_at, $3) else indexed_at end,
            matched_at = case when $2 = 'match' then coalesce(matched_at, $3) else matched_at end,
            sent_at = case when $2 = 'mail' then coalesce(sent_at, $3) else sent_at end,
            arrived_at = case when $2 = 'arrival' then coalesce(arrived_at, $3) else arrived_at end
        where id = $1",
        run,
        step,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// When an alert matched the canary's tender, and when the mail server accepted the mail about it.
pub async fn matched_and_sent(
    db: impl PgExecutor<'_>,
    alert: Uuid,
) -> Result<(Option<Timestamp>, Option<Timestamp>), sqlx::Error> {
    let row = sqlx::query!(
        r#"select (select at from match where alert_id = $1 and tender_id = $2) as "matched_at: SqlTimestamp",
            (select min(sent_at) from delivery where alert_id = $1 and channel = 'email') as "sent_at: SqlTimestamp""#,
        alert,
        CANARY_ID,
    )
    .fetch_one(db)
    .await?;
    Ok((row.matched_at.map(SqlTimestamp::to_jiff), row.sent_at.map(SqlTimestamp::to_jiff)))
}

/// The run whose mail has this message id.
pub async fn run_of_mail(db: impl PgExecutor<'_>, message_id: &str) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select r.id from canary_run r join delivery d on d.alert_id = r.alert_id where d.message_id = $1",
        message_id
    )
    .fetch_optional(db)
    .await
}

/// The alerts of the canary.
pub async fn alerts(db: impl PgExecutor<'_>) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(r#"select alert_id as "id!" from canary_run where alert_id is not null"#)
        .fetch_all(db)
        .await
}

/// The canary's account. `None`: the first run has not begun.
pub async fn user(db: impl PgExecutor<'_>) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from users where is_canary").fetch_optional(db).await
}

/// Marks an account as the canary's, and switches off all its mails but those of alerts.
pub async fn mark_user(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set is_canary = true, weekly_summary = false, saved_mails = false where id = $1",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Changes the mail address of the canary's account. It needs no confirmation.
///
/// # Errors
/// Fails with a unique violation if another account has the address.
pub async fn set_address(
    tx: &mut PgConnection,
    id: Uuid,
    address: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let changed = sqlx::query!("update users set email = $2 where id = $1 and email <> $2", id, address);
    if changed.execute(&mut *tx).await?.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query!("delete from address where user_id = $1", id).execute(&mut *tx).await?;
    sqlx::query!(
        "insert into address (user_id, email, verified_at, created_at) values ($1, $2, $3, $3)",
        id,
        address,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores the next revision of the canary's tender, or its first one.
pub async fn put_tender(
    tx: &mut PgConnection,
    tender: &Tender,
    owner: Uuid,
    at: Timestamp,
) -> Result<NewRevision, sqlx::Error> {
    let revision = sqlx::query_scalar!(
        "insert into tender (id, owner_id, revision, status, published_at, created_at, updated_at)
        values ($1, $2, 1, $3, $4, $5, $5)
        on conflict (id) do update set revision = tender.revision + 1, owner_id = $2, status = $3, published_at = $4, updated_at = $5
        returning revision",
        CANARY_ID,
        owner,
        tender.status.as_str(),
        tender.published_at.map(|at| at.timestamp().to_sqlx()) as Option<SqlTimestamp>,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into tender_revision (tender_id, revision, record, at) values ($1, $2, $3, $4)",
        CANARY_ID,
        revision,
        Json(tender) as _,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(NewRevision { subject: Subject::Tender, id: CANARY_ID, revision })
}

/// Deletes the alerts of runs before `alerts_before`, with their matches and mails, and the old
/// revisions of the tender. Deletes the runs before `runs_before`.
pub async fn delete_old(
    tx: &mut PgConnection,
    alerts_before: Timestamp,
    runs_before: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from alert where id in (select alert_id from canary_run where started_at < $1) and deleted_at is not null",
        alerts_before.to_sqlx() as SqlTimestamp
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from tender_revision r using tender t
        where r.tender_id = $1 and t.id = $1 and r.revision < t.revision and r.at < $2",
        CANARY_ID,
        alerts_before.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from canary_run where started_at < $1", runs_before.to_sqlx() as SqlTimestamp)
        .execute(tx)
        .await?;
    Ok(())
}
