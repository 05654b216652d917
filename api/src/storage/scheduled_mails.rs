//! The kinds of scheduled mail, and the last day for which each kind was prepared. A process
//! prepares the mails of a kind while it holds the lock of its row.

use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// A kind of scheduled mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduledMail {
    /// Reminders of saved tenders, prepared every day; the stored day is the day of preparation.
    Reminders,
    /// Weekly summaries; the stored day is the Monday.
    Summary,
    /// Monthly reports; the stored day is the first of the reported month.
    Reports,
    /// Mails about documents that expire soon, prepared every day; the stored day is that of preparation.
    Expiries,
    /// Mails about alerts that match nothing, prepared every day; the stored day is that of preparation.
    Silences,
}

impl ScheduledMail {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Reminders => "reminders",
            Self::Summary => "summary",
            Self::Reports => "reports",
            Self::Expiries => "expiries",
            Self::Silences => "silences",
        }
    }
}

/// The last day for which mails of a kind were prepared. `None`: no such mails were prepared yet.
pub async fn last_day(
    db: impl PgExecutor<'_>,
    mail: ScheduledMail,
) -> Result<Option<civil::Date>, sqlx::Error> {
    let day = sqlx::query_scalar!(
        r#"select day as "day: jiff_sqlx::Date" from daily_pass where name = $1"#,
        mail.as_str()
    )
    .fetch_one(db)
    .await?;
    Ok(day.map(jiff_sqlx::Date::to_jiff))
}

/// Locks the row of a kind of mail until the transaction ends. Returns the last day for which mails
/// were prepared, if there is one. The outer `None` means that another process has locked the row.
pub async fn lock_last_day(
    tx: &mut PgConnection,
    mail: ScheduledMail,
) -> Result<Option<Option<civil::Date>>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select day as "day: jiff_sqlx::Date" from daily_pass where name = $1 for update skip locked"#,
        mail.as_str(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| row.day.map(jiff_sqlx::Date::to_jiff)))
}

/// Records the last day for which mails of a kind were prepared.
pub async fn record_day(
    tx: &mut PgConnection,
    mail: ScheduledMail,
    day: civil::Date,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update daily_pass set day = $2 where name = $1",
        mail.as_str(),
        day.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The users who get a weekly summary at `now`: their plan includes it, it is switched on, and
/// their address is confirmed.
pub async fn summary_recipients(
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
