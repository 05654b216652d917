//! Daily and weekly passes over all readers, and how far each has come. A process runs a pass while
//! it holds its row.

use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// A pass over all readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// Reminders of saved tenders, by day.
    Reminders,
    /// Weekly summaries, by Monday.
    Summary,
    /// Monthly reports, by the first day of their month.
    Reports,
}

impl Pass {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Reminders => "reminders",
            Self::Summary => "summary",
            Self::Reports => "reports",
        }
    }
}

/// The last day for which a pass ran. `None`: it never ran.
pub async fn day(db: impl PgExecutor<'_>, pass: Pass) -> Result<Option<civil::Date>, sqlx::Error> {
    let day = sqlx::query_scalar!(
        r#"select day as "day: jiff_sqlx::Date" from daily_pass where name = $1"#,
        pass.as_str()
    )
    .fetch_one(db)
    .await?;
    Ok(day.map(jiff_sqlx::Date::to_jiff))
}

/// Locks a pass until the transaction ends. `None`: another process runs it; else the last day for
/// which it ran.
pub async fn take(tx: &mut PgConnection, pass: Pass) -> Result<Option<Option<civil::Date>>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select day as "day: jiff_sqlx::Date" from daily_pass where name = $1 for update skip locked"#,
        pass.as_str(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| row.day.map(jiff_sqlx::Date::to_jiff)))
}

/// Records the last day for which a pass ran.
pub async fn made(tx: &mut PgConnection, pass: Pass, day: civil::Date) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update daily_pass set day = $2 where name = $1",
        pass.as_str(),
        day.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Users who get a weekly summary at `now`: their plan includes it, they want it, and their address
/// is confirmed.
pub async fn summary_readers(
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<Vec<(Uuid, String)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select u.id, u.email from users u
        join address on address.user_id = u.id and lower(address.email) = lower(u.email) and address.verified_at is not null
        join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $1 and s.holds_until > $1
        join plan p on p.name = s.plan and p.weekly_summary
        where u.weekly_summary order by u.id",
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.email)).collect())
}
