//! Counts what waits for the people who work for the portal.

use super::enum_column::decode;
use crate::domain::{newspaper_page::MAX_ATTEMPTS, operator_tasks::WaitingWork};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;

/// All kinds of work but the gaps of the coverage, which depend on the calendar.
pub async fn waiting(db: impl PgExecutor<'_>, now: Timestamp) -> Result<Vec<WaitingWork>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select 'review' as "task!", count(*) as "waiting!", min(entered_at) as "oldest: SqlTimestamp" from review_item
        union all select 'pages', count(*), min(due_at) from page
            where state = 'set-aside' or state = 'leased' and lease_until <= $1 and attempts >= $2
        union all select 'names', count(*), min(g.created_at) from gazetteer_name g
            where g.state = 'proposed' and exists (select from gazetteer_use u where u.name_id = g.id)
        union all select 'publications', count(*), min(held_at) from tender where held_number is not null
        union all select 'messages', count(*), min(at) from contact_message where answered_at is null
        union all select 'mails', count(*), min(sealed_at) from delivery where state = 'dead' and content is not null
            and not exists (select from suppression s where s.address = lower(delivery.address))
        union all select 'payments', count(*), min(received_at) from payment_event
            where outcome not in ('applied', 'ignored') and settled_at is null"#,
        now.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
    )
    .fetch_all(db)
    .await?;
    let waiting = rows.into_iter().map(|row| {
        let oldest_since = row.oldest.map(SqlTimestamp::to_jiff);
        Ok(WaitingWork { task: decode("task", &row.task)?, waiting: row.waiting, oldest_since })
    });
    waiting.collect()
}
