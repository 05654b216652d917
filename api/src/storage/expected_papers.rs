//! The newspapers that are expected, the spellings of their names, issues that did not appear, and
//! gaps of which the administrators were mailed.

use super::enum_column::require_known;
use crate::domain::coverage::{ExpectedPaper, PaperSchedule, Weekday};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Time as SqlTime, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// Takes the lock for changes of expected newspapers until the transaction ends. There is one lock
/// for all of them, because a spelling can count for only one newspaper.
pub async fn lock_all(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        r#"select true as "yes!" from pg_advisory_xact_lock(hashtextextended('expected papers', 0))"#
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    name: String,
    spellings: Vec<String>,
    weekdays: Vec<i16>,
    due_time: SqlTime,
    min_pages: i32,
    prints_on_poya: bool,
    prints_on_holidays: bool,
    active_from: SqlDate,
    paused_from: Option<SqlDate>,
    expected_since: SqlTimestamp,
    version: i32,
}

impl TryFrom<Row> for ExpectedPaper {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let weekdays = row.weekdays.into_iter().map(|number| {
            require_known("expected_paper.weekdays", &number.to_string(), Weekday::from_number(number))
        });
        Ok(Self {
            id: row.id,
            schedule: PaperSchedule {
                name: row.name,
                spellings: row.spellings,
                weekdays: weekdays.collect::<Result<_, sqlx::Error>>()?,
                due_time: row.due_time.to_jiff(),
                min_pages: row.min_pages,
                prints_on_poya: row.prints_on_poya,
                prints_on_holidays: row.prints_on_holidays,
                active_from: row.active_from.to_jiff(),
            },
            paused_from: row.paused_from.map(SqlDate::to_jiff),
            expected_since: row.expected_since.to_jiff(),
            version: row.version,
        })
    }
}

/// All newspapers, by name.
pub async fn all(db: impl PgExecutor<'_>) -> Result<Vec<ExpectedPaper>, sqlx::Error> {
    select(db, None).await
}

/// A newspaper.
pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<ExpectedPaper>, sqlx::Error> {
    Ok(select(db, Some(id)).await?.pop())
}

async fn select(db: impl PgExecutor<'_>, id: Option<Uuid>) -> Result<Vec<ExpectedPaper>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select p.id, p.name, p.weekdays, p.due_time as "due_time: SqlTime", p.min_pages, p.prints_on_poya,
            p.prints_on_holidays, p.active_from as "active_from: SqlDate", p.paused_from as "paused_from: SqlDate",
            p.expected_since as "expected_since: SqlTimestamp", p.version,
            array(select s.spelling from paper_spelling s where s.paper_id = p.id and s.spelling <> p.name
                order by s.key) as "spellings!"
        from expected_paper p where $1::uuid is null or p.id = $1 order by lower(p.name), p.id"#,
        id
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(ExpectedPaper::try_from).collect()
}

/// Adds a newspaper or replaces it, without its spellings.
pub async fn upsert(tx: &mut PgConnection, paper: &ExpectedPaper) -> Result<(), sqlx::Error> {
    let schedule = &paper.schedule;
    let weekdays: Vec<i16> = schedule.weekdays.iter().map(|day| day.number()).collect();
    sqlx::query!(
        "insert into expected_paper (id, name, weekdays, due_time, min_pages, prints_on_poya, prints_on_holidays,
            active_from, paused_from, expected_since, version)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (id) do update set name = excluded.name, weekdays = excluded.weekdays,
            due_time = excluded.due_time, min_pages = excluded.min_pages, prints_on_poya = excluded.prints_on_poya,
            prints_on_holidays = excluded.prints_on_holidays, active_from = excluded.active_from,
            paused_from = excluded.paused_from, expected_since = excluded.expected_since, version = excluded.version",
        paper.id,
        schedule.name,
        &weekdays,
        schedule.due_time.to_sqlx() as SqlTime,
        schedule.min_pages,
        schedule.prints_on_poya,
        schedule.prints_on_holidays,
        schedule.active_from.to_sqlx() as SqlDate,
        paper.paused_from.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        paper.expected_since.to_sqlx() as SqlTimestamp,
        paper.version,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Replaces the spellings of a newspaper, given with their keys. Returns the name of the newspaper
/// for which one of them already counts.
pub async fn set_spellings(
    tx: &mut PgConnection,
    id: Uuid,
    spellings: &[(String, String)],
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query!("delete from paper_spelling where paper_id = $1", id).execute(&mut *tx).await?;
    for (key, spelling) in spellings {
        let inserted = sqlx::query!(
            "insert into paper_spelling (key, paper_id, spelling) values ($1, $2, $3) on conflict (key) do nothing",
            key,
            id,
            spelling
        )
        .execute(&mut *tx)
        .await?;
        if inserted.rows_affected() == 0 {
            let taken = sqlx::query_scalar!(
                "select p.name from paper_spelling s join expected_paper p on p.id = s.paper_id where s.key = $1",
                key
            );
            return taken.fetch_optional(tx).await;
        }
    }
    Ok(None)
}

/// Removes newspapers with their spellings and notes.
pub async fn delete(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from expected_paper where id = any($1)", ids).execute(db).await?;
    Ok(())
}

/// An issue that did not appear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentIssue {
    /// The newspaper.
    pub paper_id: Uuid,
    /// The day.
    pub day: Day,
    /// The note, which may be empty.
    pub note: String,
}

/// The issues from `from` to `to` that did not appear.
pub async fn absences(db: impl PgExecutor<'_>, from: Day, to: Day) -> Result<Vec<AbsentIssue>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select paper_id, day as "day: SqlDate", note from absent_issue where day between $1 and $2"#,
        from.to_sqlx() as SqlDate,
        to.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    let absences = rows.into_iter().map(|row| AbsentIssue {
        paper_id: row.paper_id,
        day: row.day.to_jiff(),
        note: row.note,
    });
    Ok(absences.collect())
}

/// The note of an issue that did not appear.
pub async fn absence(
    db: impl PgExecutor<'_>,
    paper_id: Uuid,
    day: Day,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select note from absent_issue where paper_id = $1 and day = $2",
        paper_id,
        day.to_sqlx() as SqlDate,
    )
    .fetch_optional(db)
    .await
}

/// Records that an issue did not appear. A later note replaces the earlier one.
pub async fn upsert_absence(
    tx: &mut PgConnection,
    absence: &AbsentIssue,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into absent_issue (paper_id, day, note, noted_at) values ($1, $2, $3, $4)
        on conflict (paper_id, day) do update set note = excluded.note, noted_at = excluded.noted_at",
        absence.paper_id,
        absence.day.to_sqlx() as SqlDate,
        absence.note,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes the record that an issue did not appear.
pub async fn delete_absence(tx: &mut PgConnection, paper_id: Uuid, day: Day) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from absent_issue where paper_id = $1 and day = $2",
        paper_id,
        day.to_sqlx() as SqlDate,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks the record of the mails about gaps until the transaction ends. `false`: another process has
/// locked it.
pub async fn lock_gap_mails(tx: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let row = sqlx::query_scalar!(
        "select topic from administrator_mail where topic = 'coverage-gaps' for update skip locked"
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.is_some())
}

/// The gaps since `from` of which the administrators were mailed.
pub async fn mailed_gaps(db: impl PgExecutor<'_>, from: Day) -> Result<Vec<(Uuid, Day)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select paper_id, day as "day: SqlDate" from mailed_gap where day >= $1"#,
        from.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.paper_id, row.day.to_jiff())).collect())
}

/// Records that the administrators are mailed about a gap.
pub async fn record_gap_mail(
    tx: &mut PgConnection,
    paper_id: Uuid,
    day: Day,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into mailed_gap (paper_id, day, mailed_at) values ($1, $2, $3)",
        paper_id,
        day.to_sqlx() as SqlDate,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update administrator_mail set mailed_at = $1 where topic = 'coverage-gaps'",
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
