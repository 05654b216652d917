//! What became of the tenders that alerts found.

use crate::domain::alert_outcome::{AlertOutcome, AlertOutcomes};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

/// The outcomes of the alerts of a user and the user's team, for tenders that matched at or after `from`.
/// `board` is the account of the bid board.
pub async fn of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    board: Uuid,
    from: Timestamp,
) -> Result<AlertOutcomes, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with found as (
            select m.alert_id, m.tender_id, m.irrelevant_at
            from match m join alert a on a.id = m.alert_id and a.deleted_at is null
            where a.user_id in (select mate_id from teammate where teammate.user_id = $1) and m.at >= $3
        ), outcome as (
            select f.alert_id, f.tender_id, b.value_cents,
                b.id is not null or f.irrelevant_at is null and exists (
                    select from favourite s where s.tender_id = f.tender_id
                        and s.user_id in (select mate_id from teammate where teammate.user_id = $1)
                ) as is_relevant,
                coalesce(b.stage in ('submitted', 'won', 'lost'), false) or exists (
                    select from bid_event e where e.bid_id = b.id and e.kind = 'moved'
                        and e.after in ('submitted', 'won', 'lost')
                ) as is_bid,
                coalesce(b.stage = 'won', false) as is_won
            from found f left join bid b on b.account_id = $2 and b.tender_id = f.tender_id
        ), tender_outcome as (
            select alert_id, is_relevant, is_bid, is_won, value_cents from outcome
            union all
            select null, bool_or(is_relevant), bool_or(is_bid), bool_or(is_won), max(value_cents)
            from outcome group by tender_id
        )
        select alert_id, count(*) as "found!", count(*) filter (where is_relevant) as "relevant!",
            count(*) filter (where is_bid) as "bid!", count(*) filter (where is_won) as "won!",
            least(coalesce(sum(value_cents) filter (where is_won), 0), 9223372036854775807)::bigint as "won_cents!"
        from tender_outcome group by alert_id order by alert_id nulls first"#,
        user_id,
        board,
        from.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let mut outcomes = AlertOutcomes::default();
    for row in rows {
        let outcome = AlertOutcome {
            found: row.found,
            relevant: row.relevant,
            bid: row.bid,
            won: row.won,
            won_cents: row.won_cents,
        };
        match row.alert_id {
            None => outcomes.total = outcome,
            Some(id) => outcomes.alerts.push((id, outcome)),
        }
    }
    Ok(outcomes)
}
