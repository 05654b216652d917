//! Saved reports and their monthly mails.

use crate::domain::report::{DueReport, ReportDefinition, ReportForm, SavedReport};
use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

struct Row {
    id: Uuid,
    name: String,
    asked: Json<ReportDefinition>,
    monthly_since: Option<SqlTimestamp>,
    created_at: SqlTimestamp,
}

impl From<Row> for SavedReport {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: row.name,
            definition: row.asked.0,
            monthly_since: row.monthly_since.map(SqlTimestamp::to_jiff),
            created_at: row.created_at.to_jiff(),
        }
    }
}

/// Stores a report.
pub async fn insert(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Uuid,
    form: &ReportForm,
    now: Timestamp,
) -> Result<SavedReport, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"insert into report (id, user_id, name, asked, monthly_since, created_at, updated_at)
        values ($1, $2, $3, $4, case when $5 then $6::timestamptz end, $6, $6)
        returning id, name, asked as "asked: Json<ReportDefinition>", monthly_since as "monthly_since: SqlTimestamp",
            created_at as "created_at: SqlTimestamp""#,
        id,
        user_id,
        form.name,
        Json(&form.definition) as _,
        form.is_monthly,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await?;
    Ok(SavedReport::from(row))
}

/// Replaces the name, the definition and the mail setting of a report. `None`: the user has no such
/// report.
pub async fn update(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Uuid,
    form: &ReportForm,
    now: Timestamp,
) -> Result<Option<SavedReport>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"update report set name = $3, asked = $4, monthly_since = case when $5 then coalesce(monthly_since, $6::timestamptz) end,
            updated_at = $6
        where id = $2 and user_id = $1
        returning id, name, asked as "asked: Json<ReportDefinition>", monthly_since as "monthly_since: SqlTimestamp",
            created_at as "created_at: SqlTimestamp""#,
        user_id,
        id,
        form.name,
        Json(&form.definition) as _,
        form.is_monthly,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(SavedReport::from))
}

/// Deletes a report and its open message. `false`: the user has no such report.
pub async fn remove(tx: &mut PgConnection, user_id: Uuid, id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query!(
        "delete from delivery where report_id = $2 and user_id = $1 and state = 'open'",
        user_id,
        id
    )
    .execute(&mut *tx)
    .await?;
    let done = sqlx::query!("delete from report where id = $2 and user_id = $1", user_id, id);
    Ok(done.execute(tx).await?.rows_affected() > 0)
}

/// The reports of a user, newest first.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Vec<SavedReport>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, name, asked as "asked: Json<ReportDefinition>", monthly_since as "monthly_since: SqlTimestamp",
            created_at as "created_at: SqlTimestamp"
        from report where user_id = $1 order by created_at desc, id desc"#,
        user_id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(SavedReport::from).collect())
}

/// A report of a user. `None`: the user has no such report.
pub async fn get(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    id: Uuid,
) -> Result<Option<SavedReport>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, name, asked as "asked: Json<ReportDefinition>", monthly_since as "monthly_since: SqlTimestamp",
            created_at as "created_at: SqlTimestamp"
        from report where user_id = $1 and id = $2"#,
        user_id,
        id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(SavedReport::from))
}

/// The number of reports of a user.
pub async fn count(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from report where user_id = $1"#, user_id)
        .fetch_one(db)
        .await
}

/// The reports whose monthly mail was switched on before `due`. Their owners have a confirmed
/// address and, at `now`, are admins or have a plan with reports.
pub async fn monthly(
    tx: &mut PgConnection,
    due: Timestamp,
    now: Timestamp,
) -> Result<Vec<DueReport>, sqlx::Error> {
    sqlx::query_as!(
        DueReport,
        "select r.id, r.user_id, u.email as address from report r join users u on u.id = r.user_id
        join address on address.user_id = u.id and lower(address.email) = lower(u.email) and address.verified_at is not null
        left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
        left join plan p on p.name = s.plan
        where r.monthly_since < $1 and (u.role = 'admin' or p.custom_reports) order by r.id",
        due.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await
}

/// Opens the message of a report for a month, unless it exists. `month` is the first day of the
/// month.
pub async fn open(
    tx: &mut PgConnection,
    id: Uuid,
    report: &DueReport,
    month: civil::Date,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into delivery (id, user_id, report_id, kind, channel, frequency, address, state, opened_at, seal_at, period)
        values ($1, $2, $3, 'report', 'email', 'monthly', $4, 'open', $5, $5, $6)
        on conflict do nothing",
        id,
        report.user_id,
        report.id,
        report.address,
        now.to_sqlx() as SqlTimestamp,
        month.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The report in a delivery, and the first day of the reported month. `None`: the report was
/// deleted.
pub async fn of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
) -> Result<Option<(SavedReport, civil::Date)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select r.id, r.name, r.asked as "asked: Json<ReportDefinition>", r.monthly_since as "monthly_since: SqlTimestamp",
            r.created_at as "created_at: SqlTimestamp", d.period as "month!: jiff_sqlx::Date"
        from delivery d join report r on r.id = d.report_id where d.id = $1"#,
        delivery_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| {
        let report = SavedReport {
            id: row.id,
            name: row.name,
            definition: row.asked.0,
            monthly_since: row.monthly_since.map(SqlTimestamp::to_jiff),
            created_at: row.created_at.to_jiff(),
        };
        (report, row.month.to_jiff())
    }))
}

/// Switches the monthly mail of the report in a delivery on or off. Returns the report's name.
/// `None`: the report was deleted.
pub async fn switch_mail_of_delivery(
    db: impl PgExecutor<'_>,
    delivery_id: Uuid,
    on: bool,
    now: Timestamp,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "update report r set monthly_since = case when $2 then coalesce(monthly_since, $3::timestamptz) end, updated_at = $3
        from delivery d where d.id = $1 and r.id = d.report_id returning r.name",
        delivery_id,
        on,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await
}
