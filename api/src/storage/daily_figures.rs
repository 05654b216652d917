//! Figures by day in Colombo: counted from the rows of a few days, and recorded when a day is over.
//! Also the searches that found nothing, and the present states of the queues.

use super::enum_column::decode;
use crate::domain::figures::{EmptySearch, Figure, Queue, QueueState};
use jiff::{Timestamp, civil::Date};
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};

/// The maximum number of texts that are stored for a day. Further texts are only counted.
const MAX_TEXTS_OF_DAY: i64 = 1000;
/// How often a text must have been searched to be listed.
const MIN_LISTED_SEARCHES: i64 = 3;

/// A value of a figure on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyValue {
    /// The figure.
    pub figure: Figure,
    /// The day.
    pub day: Date,
    /// The value. Several values of a figure on a day are added.
    pub value: i64,
}

/// The first and the last day whose figures are recorded.
pub async fn recorded_range(db: impl PgExecutor<'_>) -> Result<Option<(Date, Date)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select first_day as "first: SqlDate", last_day as "last: SqlDate" from daily_figure_range"#
    )
    .fetch_one(db)
    .await?;
    Ok(row.first.zip(row.last).map(|(first, last)| (first.to_jiff(), last.to_jiff())))
}

/// Locks the range of recorded days until the transaction ends. The outer `None` means that another
/// process has locked it.
pub async fn lock_recorded_range(tx: &mut PgConnection) -> Result<Option<Option<(Date, Date)>>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select first_day as "first: SqlDate", last_day as "last: SqlDate" from daily_figure_range
        for update skip locked"#
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| row.first.zip(row.last).map(|(first, last)| (first.to_jiff(), last.to_jiff()))))
}

/// Stores the values of days, and that all days from `range.0` to `range.1` are recorded.
pub async fn record(
    tx: &mut PgConnection,
    values: &[DailyValue],
    range: (Date, Date),
) -> Result<(), sqlx::Error> {
    let names: Vec<String> = values.iter().map(|value| <&str>::from(value.figure).to_owned()).collect();
    let days: Vec<SqlDate> = values.iter().map(|value| value.day.to_sqlx()).collect();
    let numbers: Vec<i64> = values.iter().map(|value| value.value).collect();
    sqlx::query!(
        "insert into daily_figure (figure, day, value)
        select figure, day, sum(value)::bigint from unnest($1::text[], $2::date[], $3::bigint[]) as v (figure, day, value)
        group by figure, day
        on conflict (figure, day) do update set value = excluded.value",
        &names,
        &days as &[SqlDate],
        &numbers,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update daily_figure_range set first_day = $1, last_day = $2",
        range.0.to_sqlx() as SqlDate,
        range.1.to_sqlx() as SqlDate,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The stored values of the days from `first` to `last`.
pub async fn stored(
    db: impl PgExecutor<'_>,
    first: Date,
    last: Date,
) -> Result<Vec<DailyValue>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select figure, day as "day: SqlDate", value from daily_figure where day between $1 and $2"#,
        first.to_sqlx() as SqlDate,
        last.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    let values = rows.into_iter().map(|row| {
        let figure = decode("daily_figure.figure", &row.figure)?;
        Ok(DailyValue { figure, day: row.day.to_jiff(), value: row.value })
    });
    values.collect()
}

/// Counts the figures of the days from `first` to `last` from the rows of other tables. `begin` and
/// `end` are the times at which these days begin and end. A figure of a day without rows is missing.
pub async fn count(
    db: impl PgExecutor<'_>,
    (first, last): (Date, Date),
    (begin, end): (Timestamp, Timestamp),
    now: Timestamp,
) -> Result<Vec<DailyValue>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with counted_subscription as (
            -- Those that have begun, without demonstration accounts, the canary and test payments.
            select s.id, s.user_id, s.start_date, case when s.status in ('cancelled', 'expired')
                then coalesce(s.ended_at, s.holds_until) else 'infinity' end as ended_at
            from subscription s left join users u on u.id = s.user_id
            where s.status <> 'pending' and u.is_demo is not true and u.is_canary is not true and s.provider is distinct from 'sandbox'
                and (s.charged_at is not null or (s.provider is null and s.user_id is not null))
        ), day as (
            select d::date as day,
                least((d::date + 1)::timestamp at time zone 'Asia/Colombo' - interval '1 millisecond', $5) as end_at
            from generate_series($1::date, $2::date, interval '1 day') as d
        )
        select 'pages' as "figure!", (read_at at time zone 'Asia/Colombo')::date as "day!: SqlDate", count(*) as "value!"
            from page where read_at >= $3 and read_at < $4 group by 2
        union all select 'notices', (decided_at at time zone 'Asia/Colombo')::date, count(*)
            from notice where tender_id is not null and decided_at >= $3 and decided_at < $4 group by 2
        union all select 'review-time', (at at time zone 'Asia/Colombo')::date, coalesce(sum(seconds), 0)
            from review_decision where at >= $3 and at < $4 group by 2
        union all select 'matches', (at at time zone 'Asia/Colombo')::date, count(*)
            from match where at >= $3 and at < $4
                and alert_id not in (select alert_id from canary_run where alert_id is not null) group by 2
        union all select case channel when 'email' then 'emails' when 'webhook' then 'webhooks' else channel end,
                (sent_at at time zone 'Asia/Colombo')::date, count(*)
            from delivery where sent_at >= $3 and sent_at < $4
                and user_id is distinct from (select id from users where is_canary) group by channel, 2
        union all select 'bounces', (returned_at at time zone 'Asia/Colombo')::date, count(*)
            from delivery where returned_at >= $3 and returned_at < $4 group by 2
        union all select 'new-users', (created_at at time zone 'Asia/Colombo')::date, count(*)
            from users where created_at >= $3 and created_at < $4 and not is_demo and not is_canary group by 2
        union all select 'revenue', (issued_at at time zone 'Asia/Colombo')::date, sum(total_cents)::bigint
            from invoice where issued_at >= $3 and issued_at < $4 and currency = 'LKR' and provider <> 'sandbox' group by 2
        union all select 'revenue', (e.received_at at time zone 'Asia/Colombo')::date, -sum(paid.total_cents)::bigint
            from payment_event e cross join lateral (
                select i.total_cents from invoice i
                where i.subscription_id = e.subscription_id and i.provider = e.provider and i.currency = 'LKR'
                    and i.issued_at <= e.received_at
                order by i.issued_at desc limit 1
            ) as paid
            where e.event #>> '{told,kind}' = 'reversed' and e.received_at >= $3 and e.received_at < $4
                and e.provider <> 'sandbox' group by 2
        union all select 'subscribers', d.day, count(*)
            from day d join counted_subscription s on s.start_date <= d.end_at and s.ended_at > d.end_at group by 2
        union all select 'ended-subscriptions', d.day, count(*)
            from counted_subscription s join day d on d.day = (s.ended_at at time zone 'Asia/Colombo')::date
            where s.ended_at >= $3 and s.ended_at < $4 and not exists (
                select from counted_subscription other
                where other.user_id = s.user_id and other.id <> s.id and other.start_date <= d.end_at
                    and other.ended_at > d.end_at
            ) group by 2"#,
        first.to_sqlx() as SqlDate,
        last.to_sqlx() as SqlDate,
        begin.to_sqlx() as SqlTimestamp,
        end.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let values = rows.into_iter().map(|row| {
        let figure = decode("daily_figure.figure", &row.figure)?;
        Ok(DailyValue { figure, day: row.day.to_jiff(), value: row.value })
    });
    values.collect()
}

/// The present states of the queues.
pub async fn queues(db: impl PgExecutor<'_>, now: Timestamp) -> Result<Vec<QueueState>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select 'review' as "queue!", count(*) as "waiting!", min(entered_at) as "oldest: SqlTimestamp" from review_item
        union all select 'pages', count(*), min(due_at) from page
            where state <> 'read' and (state in ('waiting', 'failed') or (state = 'leased' and lease_until <= $1))
        union all select 'publications', count(*), min(held_at) from tender where held_number is not null
        union all select 'messages', count(*), min(at) from contact_message where answered_at is null
        union all select 'mails', count(*), min(sealed_at) from delivery where state in ('sealed', 'leased', 'retry')"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let states = rows.into_iter().map(|row| {
        let oldest_since = row.oldest.map(SqlTimestamp::to_jiff);
        Ok(QueueState { queue: decode::<Queue>("queue", &row.queue)?, waiting: row.waiting, oldest_since })
    });
    states.collect()
}

/// Raises the stored values of a day to these values.
pub async fn raise(db: impl PgExecutor<'_>, day: Date, values: &[(Figure, i64)]) -> Result<(), sqlx::Error> {
    let names: Vec<String> = values.iter().map(|(figure, _)| <&str>::from(figure).to_owned()).collect();
    let numbers: Vec<i64> = values.iter().map(|(_, value)| *value).collect();
    sqlx::query!(
        "insert into daily_figure (figure, day, value)
        select figure, $1, value from unnest($2::text[], $3::bigint[]) as v (figure, value)
        on conflict (figure, day) do update set value = excluded.value where daily_figure.value < excluded.value",
        day.to_sqlx() as SqlDate,
        &names,
        &numbers,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Adds the searches of a day that found nothing. Of new texts, only as many are stored as the limit
/// of the day permits.
pub async fn add_empty_searches(
    tx: &mut PgConnection,
    day: Date,
    searches: i64,
    texts: &[(String, i32)],
) -> Result<(), sqlx::Error> {
    let day: SqlDate = day.to_sqlx();
    // The row of the figure is locked first, so that two processes write one after the other.
    sqlx::query!(
        "insert into daily_figure (figure, day, value) values ('empty-searches', $1, $2)
        on conflict (figure, day) do update set value = daily_figure.value + excluded.value",
        day as SqlDate,
        searches,
    )
    .execute(&mut *tx)
    .await?;
    let words: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
    let numbers: Vec<i32> = texts.iter().map(|(_, searches)| *searches).collect();
    sqlx::query!(
        "with counted as (
            select text, searches from unnest($2::text[], $3::integer[]) as c (text, searches)
        ), known as (
            update empty_search e set searches = e.searches + c.searches
            from counted c where e.day = $1 and e.text = c.text returning e.text
        )
        insert into empty_search (day, text, searches)
        select $1, c.text, c.searches from counted c where not exists (select from known k where k.text = c.text)
        order by c.searches desc, c.text
        limit greatest($4 - (select count(*) from empty_search where day = $1), 0)",
        day as SqlDate,
        &words,
        &numbers,
        MAX_TEXTS_OF_DAY,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The texts that were searched most often without a result on the days from `first` to `last`.
/// Rare texts are left out, because they may be personal.
pub async fn frequent_empty_searches(
    db: impl PgExecutor<'_>,
    first: Date,
    last: Date,
    limit: i64,
) -> Result<Vec<EmptySearch>, sqlx::Error> {
    sqlx::query_as!(
        EmptySearch,
        r#"select text, sum(searches) as "searches!" from empty_search where day between $1 and $2
        group by text having sum(searches) >= $3 order by 2 desc, text limit $4"#,
        first.to_sqlx() as SqlDate,
        last.to_sqlx() as SqlDate,
        MIN_LISTED_SEARCHES,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Deletes the texts of searches before a day.
pub async fn delete_empty_searches(tx: &mut PgConnection, before: Date) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from empty_search where day < $1", before.to_sqlx() as SqlDate).execute(tx).await?;
    Ok(())
}
