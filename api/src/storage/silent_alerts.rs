//! Alerts that have matched nothing for a long time.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use tender_model::alert::AlertQuery;
use uuid::Uuid;

/// A silent alert whose owner was not told yet.
#[derive(Debug, Clone, PartialEq)]
pub struct SilentAlert {
    /// The alert.
    pub id: Uuid,
    /// The owner.
    pub user_id: Uuid,
    /// The name of the alert.
    pub name: String,
    /// What it matches.
    pub query: AlertQuery,
}

/// Locks and returns alerts with mails that have matched nothing and were not changed since a moment,
/// although their owner's plan had alerts and the address is confirmed. Owners who switched these mails
/// off, and alerts about whose silence a mail was sent, are left out. They are in the order of their
/// owners.
pub async fn lock_untold(
    tx: &mut PgConnection,
    (since, now): (Timestamp, Timestamp),
    limit: i64,
) -> Result<Vec<SilentAlert>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select a.id, a.user_id, a.name, a.query as "query: Json<AlertQuery>"
        from alert a
        join users u on u.id = a.user_id and u.locked_at is null and u.silence_mails
        cross join lateral (select max(at) as at from match where alert_id = a.id) as met
        where a.is_active and a.email_enabled and a.deleted_at is null and a.updated_at < $1
            and (met.at is null or met.at < $1)
            and (a.silence_mailed_at is null or a.silence_mailed_at < greatest(a.updated_at, met.at))
            and exists (
                select from address where user_id = u.id and verified_at is not null
                    and lower(email) = lower(coalesce(a.custom_email, u.email))
            )
            and (
                select coalesce(bool_or(s.status = 'active' and s.holds_until > $2) and min(s.start_date) < $1, false)
                from held_subscription s join plan p on p.name = s.plan and p.email_alerts
                where s.holder_id = u.id and s.status <> 'pending'
            )
        order by a.user_id, a.id limit $3 for update of a skip locked"#,
        since.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
        limit,
    )
    .fetch_all(tx)
    .await?;
    let alerts = rows.into_iter().map(|row| SilentAlert {
        id: row.id,
        user_id: row.user_id,
        name: row.name,
        query: row.query.0,
    });
    Ok(alerts.collect())
}

/// Records that the owners of the alerts were told.
pub async fn record_mails(tx: &mut PgConnection, ids: &[Uuid], at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update alert set silence_mailed_at = $2 where id = any($1)",
        ids,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
