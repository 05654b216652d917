//! How accurately fields were read, by week.

use crate::domain::field_check::{FieldAccuracy, FieldCheck};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::{tender::FieldState, vocabulary::Day};
use uuid::Uuid;

const fn state_name(state: FieldState) -> &'static str {
    match state {
        FieldState::Certain => "certain",
        FieldState::Doubtful => "doubtful",
        FieldState::NotRead => "not-read",
    }
}

/// Stores what a decision found out about the fields of a notice.
pub async fn insert(tx: &mut PgConnection, decision: Uuid, checks: &[FieldCheck]) -> Result<(), sqlx::Error> {
    let fields: Vec<String> = checks.iter().map(|check| check.field.to_owned()).collect();
    let states: Vec<String> = checks.iter().map(|check| state_name(check.state).to_owned()).collect();
    let outcomes: Vec<String> = checks.iter().map(|check| <&str>::from(check.outcome).to_owned()).collect();
    sqlx::query!(
        "insert into field_check (decision_id, field, state, outcome)
        select $1, c.* from unnest($2::text[], $3::text[], $4::text[]) as c",
        decision,
        &fields,
        &states,
        &outcomes,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The accuracy of a field in a week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeeklyAccuracy {
    /// The Monday of the week in Colombo.
    pub week: Day,
    /// The path of the field.
    pub field: String,
    /// The counts.
    pub counts: FieldAccuracy,
}

/// The accuracy of each field in each week since a time, latest week first. `only_samples`: only of
/// the notices that were checked at random.
pub async fn by_week(
    db: impl PgExecutor<'_>,
    since: Timestamp,
    only_samples: bool,
) -> Result<Vec<WeeklyAccuracy>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select date_trunc('week', d.at at time zone 'Asia/Colombo')::date as "week!: SqlDate", c.field,
            count(*) filter (where c.outcome = 'right') as "right!",
            count(*) filter (where c.outcome = 'wrong') as "wrong!",
            count(*) filter (where c.outcome = 'missed') as "missed!",
            count(*) filter (where c.outcome <> 'missed' and c.state = 'certain') as "certain!",
            count(*) filter (where c.outcome = 'wrong' and c.state = 'certain') as "certain_wrong!"
        from review_decision d join field_check c on c.decision_id = d.id
        where d.undone_at is null and d.at >= $1 and (d.is_sample or not $2)
        group by 1, 2 order by 1 desc, 2"#,
        since.to_sqlx() as SqlTimestamp,
        only_samples,
    )
    .fetch_all(db)
    .await?;
    let accuracy = rows.into_iter().map(|row| WeeklyAccuracy {
        week: row.week.to_jiff(),
        field: row.field,
        counts: FieldAccuracy {
            right: row.right,
            wrong: row.wrong,
            missed: row.missed,
            certain: row.certain,
            certain_wrong: row.certain_wrong,
        },
    });
    Ok(accuracy.collect())
}
