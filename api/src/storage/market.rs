//! Counts of the tenders that everyone may see.

use crate::domain::market::{Market, MarketFilter, MonthCount, ShortNotices, ValueCount, WeekCount};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;

/// A count of rows.
pub(super) fn count_of(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

/// Counts from a value, its numbers of tenders and of open ones, and the number of open ones whose value is
/// not certain.
pub(super) fn value_counts(rows: impl Iterator<Item = (Option<String>, [i64; 3])>) -> Vec<ValueCount> {
    let count = |(value, [count, open, uncertain]): (Option<String>, [i64; 3])| ValueCount {
        value,
        count: count_of(count),
        open: count_of(open),
        uncertain: count_of(uncertain),
    };
    rows.map(count).collect()
}

/// The words of a filter, as they are stored.
struct Words {
    district: Option<&'static str>,
    sector: Option<&'static str>,
    grade: Option<&'static str>,
}

impl Words {
    /// The facts by which the filter chooses.
    fn facts(&self) -> Vec<String> {
        let chosen = [("district", self.district), ("sector", self.sector), ("grades", self.grade)];
        let chosen = chosen.into_iter().filter(|(_, word)| word.is_some());
        chosen.map(|(fact, _)| fact.to_owned()).collect()
    }
}

/// The figures of the market. `first_month` is the first of the listed months, and `first_week` and
/// `weeks_end` are the first listed Monday and the one after the last listed week.
pub async fn read(
    tx: &mut PgConnection,
    filter: MarketFilter,
    first_month: Day,
    (first_week, weeks_end): (Day, Day),
    now: Timestamp,
) -> Result<Market, sqlx::Error> {
    let words = Words {
        district: filter.district.map(|district| district.as_str()),
        sector: filter.sector.map(|sector| sector.as_str()),
        grade: filter.grade.map(|grade| grade.as_str()),
    };
    let mut market = totals(&mut *tx, &words, now).await?;
    (market.districts, market.sectors) = places_and_sectors(&mut *tx, &words, now).await?;
    market.grades = grades(&mut *tx, &words, now).await?;
    market.months = months(&mut *tx, &words, first_month).await?;
    market.closings = closings(&mut *tx, &words, (first_week, weeks_end), now).await?;
    market.short_notices = short_notices(&mut *tx, &words).await?;
    Ok(market)
}

async fn totals(db: impl PgExecutor<'_>, words: &Words, now: Timestamp) -> Result<Market, sqlx::Error> {
    let row = sqlx::query!(
        r#"select count(*) as "total!", count(*) filter (where live_until >= $4) as "open!",
            count(*) filter (where doubtful && $5) as "uncertain!",
            count(*) filter (where doubtful && $5 and live_until >= $4) as "uncertain_open!",
            count(*) filter (where live_until >= $4 and closing_at is null) as "without_closing!",
            count(*) filter (where live_until >= $4 and closing_at is null and 'closing' = any(doubtful)) as "not_read!",
            min(first_day) as "since: SqlDate"
        from listed_tender
        where ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))"#,
        words.district,
        words.sector,
        words.grade,
        now.to_sqlx() as SqlTimestamp,
        &words.facts(),
    )
    .fetch_one(db)
    .await?;
    Ok(Market {
        total: count_of(row.total),
        open: count_of(row.open),
        uncertain: count_of(row.uncertain),
        uncertain_open: count_of(row.uncertain_open),
        without_closing: count_of(row.without_closing),
        closings_not_read: count_of(row.not_read),
        since: row.since.map(SqlDate::to_jiff),
        ..Market::default()
    })
}

async fn places_and_sectors(
    db: impl PgExecutor<'_>,
    words: &Words,
    now: Timestamp,
) -> Result<(Vec<ValueCount>, Vec<ValueCount>), sqlx::Error> {
    let rows = sqlx::query!(
        r#"select grouping(district) = 0 as "is_district!", district, part, count(*) as "count!",
            count(*) filter (where live_until >= $4) as "open!",
            case when grouping(district) = 0 then count(*) filter (where live_until >= $4 and 'district' = any(doubtful))
                else count(*) filter (where live_until >= $4 and 'sector' = any(doubtful)) end as "uncertain!"
        from listed_tender
        where ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))
        group by grouping sets (district, part) order by 4 desc, 2, 3"#,
        words.district,
        words.sector,
        words.grade,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let (districts, sectors): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_district);
    Ok((
        value_counts(districts.into_iter().map(|row| (row.district, [row.count, row.open, row.uncertain]))),
        value_counts(sectors.into_iter().map(|row| (row.part, [row.count, row.open, row.uncertain]))),
    ))
}

async fn grades(
    db: impl PgExecutor<'_>,
    words: &Words,
    now: Timestamp,
) -> Result<Vec<ValueCount>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select grade, count(*) as "count!", count(*) filter (where live_until >= $4) as "open!",
            count(*) filter (where live_until >= $4 and 'grades' = any(doubtful)) as "uncertain!"
        from listed_tender, unnest(grades) as grade
        where ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))
        group by grade order by 2 desc, 1"#,
        words.district,
        words.sector,
        words.grade,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    Ok(value_counts(rows.into_iter().map(|row| (row.grade, [row.count, row.open, row.uncertain]))))
}

async fn months(
    db: impl PgExecutor<'_>,
    words: &Words,
    first_month: Day,
) -> Result<Vec<MonthCount>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select date_trunc('month', first_day)::date as "month!: SqlDate", count(*) as "count!"
        from listed_tender
        where first_day >= $4 and ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))
        group by 1 order by 1"#,
        words.district,
        words.sector,
        words.grade,
        first_month.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    let months =
        rows.into_iter().map(|row| MonthCount { month: row.month.to_jiff(), count: count_of(row.count) });
    Ok(months.collect())
}

/// The open tenders by the week of the closing.
async fn closings(
    db: impl PgExecutor<'_>,
    words: &Words,
    (first_week, weeks_end): (Day, Day),
    now: Timestamp,
) -> Result<Vec<WeekCount>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select date_trunc('week', closing_at at time zone 'Asia/Colombo')::date as "week!: SqlDate", count(*) as "count!",
            count(*) filter (where 'closing' = any(doubtful)) as "uncertain!"
        from listed_tender
        where status = 'published' and closing_at >= $4
            and (closing_at at time zone 'Asia/Colombo')::date >= $5
            and (closing_at at time zone 'Asia/Colombo')::date < $6
            and ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))
        group by 1 order by 1"#,
        words.district,
        words.sector,
        words.grade,
        now.to_sqlx() as SqlTimestamp,
        first_week.to_sqlx() as SqlDate,
        weeks_end.to_sqlx() as SqlDate,
    )
    .fetch_all(db)
    .await?;
    let weeks = rows.into_iter().map(|row| WeekCount {
        week: row.week.to_jiff(),
        count: count_of(row.count),
        uncertain: count_of(row.uncertain),
    });
    Ok(weeks.collect())
}

async fn short_notices(db: impl PgExecutor<'_>, words: &Words) -> Result<Vec<ShortNotices>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select required_days as "required!", is_method_stated as "is_stated!", count(*) as "count!",
            count(*) filter (where notice_days < required_days) as "short!"
        from listed_tender
        where required_days is not null and notice_days is not null
            and ($1::text is null or district = $1) and ($2::text is null or sector = $2)
            and ($3::text is null or $3 = any(grades))
        group by 1, 2 order by 1, 2"#,
        words.district,
        words.sector,
        words.grade,
    )
    .fetch_all(db)
    .await?;
    let notices = rows.into_iter().map(|row| ShortNotices {
        required_days: u32::try_from(row.required).unwrap_or(0),
        is_method_stated: row.is_stated,
        count: count_of(row.count),
        short: count_of(row.short),
    });
    Ok(notices.collect())
}
