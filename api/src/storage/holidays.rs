//! Poya days, other public holidays, and days on which no newspaper appears.

use super::enum_column::decode;
use crate::domain::coverage::Holiday;
use jiff_sqlx::{Date as SqlDate, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;

struct Row {
    day: SqlDate,
    name: String,
    kind: String,
}

impl TryFrom<Row> for Holiday {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self { day: row.day.to_jiff(), name: row.name, kind: decode("holiday.kind", &row.kind)? })
    }
}

/// The holidays from `from` to `to`, in order.
pub async fn between(db: impl PgExecutor<'_>, from: Day, to: Day) -> Result<Vec<Holiday>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select day as "day: SqlDate", name, kind from holiday where day between $1 and $2 order by day"#,
        from.to_sqlx() as SqlDate,
        to.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Holiday::try_from).collect()
}

/// The holidays from a day on, in order.
pub async fn since(db: impl PgExecutor<'_>, from: Day) -> Result<Vec<Holiday>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select day as "day: SqlDate", name, kind from holiday where day >= $1 order by day"#,
        from.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Holiday::try_from).collect()
}

/// The last holiday of the calendar.
pub async fn last_day(db: impl PgExecutor<'_>) -> Result<Option<Day>, sqlx::Error> {
    let last = sqlx::query_scalar!(r#"select max(day) as "day: SqlDate" from holiday"#).fetch_one(db).await?;
    Ok(last.map(SqlDate::to_jiff))
}

/// Locks the holiday of a day until the transaction ends.
pub async fn lock(tx: &mut PgConnection, day: Day) -> Result<Option<Holiday>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select day as "day: SqlDate", name, kind from holiday where day = $1 for update"#,
        day.to_sqlx() as SqlDate,
    )
    .fetch_optional(tx)
    .await?;
    row.map(Holiday::try_from).transpose()
}

/// Adds a holiday, or replaces the one of its day.
pub async fn upsert(tx: &mut PgConnection, holiday: &Holiday) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into holiday (day, name, kind) values ($1, $2, $3)
        on conflict (day) do update set name = excluded.name, kind = excluded.kind",
        holiday.day.to_sqlx() as SqlDate,
        holiday.name,
        <&str>::from(holiday.kind),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes the holiday of a day.
pub async fn delete(tx: &mut PgConnection, day: Day) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from holiday where day = $1", day.to_sqlx() as SqlDate).execute(tx).await?;
    Ok(())
}
