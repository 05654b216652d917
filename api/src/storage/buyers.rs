//! Bodies that invite bids: all of them with their counts, and the tenders and figures of one.

use super::{
    enum_column::decode,
    market::{count_of, value_counts},
};
use crate::domain::market::{
    Buyer, BuyerFigures, BuyerTender, Changes, MIN_SAMPLE, SingleValue, Spread, Summary, ValueCount,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Moment;

/// All bodies that a certain tender or an award names, those with the most open tenders first.
pub async fn list(db: impl PgExecutor<'_>, now: Timestamp) -> Result<Vec<Buyer>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with invited as (
            select body_slug as slug, mode() within group (order by body_name) as name,
                count(*) filter (where live_until >= $1) as open, count(*) as total
            from listed_tender where body_slug is not null group by body_slug
        ), awarded as (
            select body_slug as slug, mode() within group (order by body) as name, count(*) as awards
            from award where body_slug is not null group by body_slug
        )
        select slug as "slug!", coalesce(i.name, a.name) as "name!", coalesce(i.open, 0) as "open!",
            coalesce(i.total, 0) as "total!", coalesce(a.awards, 0) as "awards!"
        from invited i full join awarded a using (slug)
        order by 3 desc, 4 desc, 5 desc, 2, slug"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let buyers = rows.into_iter().map(|row| Buyer {
        slug: row.slug,
        name: row.name,
        open: count_of(row.open),
        past: count_of(row.total - row.open),
        awards: count_of(row.awards),
    });
    Ok(buyers.collect())
}

/// A body with its counts. `None`: no certain tender and no award names it.
pub async fn find(db: impl PgExecutor<'_>, slug: &str, now: Timestamp) -> Result<Option<Buyer>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select coalesce(i.name, a.name) as name, i.open as "open!", i.total as "total!", a.awards as "awards!"
        from (select mode() within group (order by body_name) as name, count(*) filter (where live_until >= $2) as open,
                count(*) as total from listed_tender where body_slug = $1) as i,
            (select mode() within group (order by body) as name, count(*) as awards from award where body_slug = $1) as a"#,
        slug,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await?;
    Ok(row.name.map(|name| Buyer {
        slug: slug.to_owned(),
        name,
        open: count_of(row.open),
        past: count_of(row.total - row.open),
        awards: count_of(row.awards),
    }))
}

/// Those of these slugs whose body a certain tender names.
pub async fn invited_slugs(db: impl PgExecutor<'_>, slugs: &[String]) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select distinct body_slug as "slug!" from listed_tender where body_slug = any($1)"#,
        slugs,
    )
    .fetch_all(db)
    .await
}

/// A page of a body's tenders: the open ones, the next closing first, or the past ones, the last closing
/// first.
pub async fn tenders(
    db: impl PgExecutor<'_>,
    slug: &str,
    is_open: bool,
    (limit, skip): (i64, i64),
    now: Timestamp,
) -> Result<Vec<BuyerTender>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select l.tender_id as "id!", r.record ->> 'title' as "title!", r.record ->> 'language' as language,
            l.body_name as "organization!", t.closing_at as "closing: SqlTimestamp",
            'closing' <> all(l.doubtful) as "is_closing_certain!"
        from listed_tender l join tender t on t.id = l.tender_id
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where l.body_slug = $1 and coalesce(l.live_until >= $3, false) = $2
        order by case when $2 then t.closing_at end, case when not $2 then coalesce(t.closing_at, t.published_at) end desc nulls last,
            t.id
        limit $4 offset $5"#,
        slug,
        is_open,
        now.to_sqlx() as SqlTimestamp,
        limit,
        skip,
    )
    .fetch_all(db)
    .await?;
    let tenders = rows.into_iter().map(|row| {
        let language =
            row.language.map(|language| decode("tender_revision.record", &language)).transpose()?;
        Ok(BuyerTender {
            id: row.id,
            title: row.title,
            language,
            organization: row.organization,
            closing: row.closing.map(|at| Moment::new(at.to_jiff())),
            is_closing_certain: row.is_closing_certain,
        })
    });
    tenders.collect()
}

/// The figures of a body. Values of single tenders are given only for those that were published at
/// `since` or later, because older ones are not open to everyone.
pub async fn figures(
    tx: &mut PgConnection,
    slug: &str,
    since: Option<Timestamp>,
    now: Timestamp,
) -> Result<BuyerFigures, sqlx::Error> {
    let mut figures = spreads_of(&mut *tx, slug).await?;
    figures.names = names_of(&mut *tx, slug).await?;
    (figures.categories, figures.districts) = values_of(&mut *tx, slug, now).await?;
    add_small_samples(&mut *tx, slug, since, &mut figures).await?;
    Ok(figures)
}

async fn names_of(db: impl PgExecutor<'_>, slug: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select body_name as "name!" from listed_tender where body_slug = $1
        group by body_name order by count(*) desc, body_name limit 8"#,
        slug,
    )
    .fetch_all(db)
    .await
}

/// The counts by category and by district.
async fn values_of(
    db: impl PgExecutor<'_>,
    slug: &str,
    now: Timestamp,
) -> Result<(Vec<ValueCount>, Vec<ValueCount>), sqlx::Error> {
    let rows = sqlx::query!(
        r#"select grouping(category) = 0 as "is_category!", category, district, count(*) as "count!",
            count(*) filter (where live_until >= $2) as "open!",
            case when grouping(category) = 0 then count(*) filter (where live_until >= $2 and 'category' = any(doubtful))
                else count(*) filter (where live_until >= $2 and 'district' = any(doubtful)) end as "uncertain!"
        from listed_tender where body_slug = $1 group by grouping sets (category, district)
        order by 4 desc, 2, 3"#,
        slug,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let (categories, districts): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_category);
    Ok((
        value_counts(categories.into_iter().map(|row| (row.category, [row.count, row.open, row.uncertain]))),
        value_counts(districts.into_iter().map(|row| (row.district, [row.count, row.open, row.uncertain]))),
    ))
}

/// A spread from the count and the five numbers of a row: the least, the quartiles and the greatest.
fn spread(count: i64, numbers: Option<Vec<f64>>, unit: f64) -> Spread {
    let count = count_of(count);
    let summary = match numbers.as_deref() {
        Some([min, lower, median, upper, max]) if count >= MIN_SAMPLE => Some(Summary {
            min: min / unit,
            lower: lower / unit,
            median: median / unit,
            upper: upper / unit,
            max: max / unit,
        }),
        _ => None,
    };
    Spread { count, summary, tenders: Vec::new() }
}

async fn spreads_of(db: impl PgExecutor<'_>, slug: &str) -> Result<BuyerFigures, sqlx::Error> {
    let row = sqlx::query!(
        r#"select count(notice_days) as "days!",
            percentile_cont(array[0, 0.25, 0.5, 0.75, 1]) within group (order by notice_days) as day_numbers,
            count(bond_percentage) as "percentages!",
            percentile_cont(array[0, 0.25, 0.5, 0.75, 1]) within group (order by bond_percentage) as percentage_numbers,
            count(bond_amount) as "amounts!",
            percentile_cont(array[0, 0.25, 0.5, 0.75, 1]) within group (order by bond_amount) as amount_numbers,
            count(fee_amount) as "fees!",
            percentile_cont(array[0, 0.25, 0.5, 0.75, 1]) within group (order by fee_amount) as fee_numbers,
            count(*) filter (where is_changed) as "changed!", count(extended_days) as "extended!",
            coalesce(sum(extended_days), 0) as "extension!"
        from listed_tender where body_slug = $1"#,
        slug,
    )
    .fetch_one(db)
    .await?;
    Ok(BuyerFigures {
        notice_days: spread(row.days, row.day_numbers, 1.0),
        bond_percentage: spread(row.percentages, row.percentage_numbers, 1.0),
        bond_amount: spread(row.amounts, row.amount_numbers, 100.0),
        document_fee: spread(row.fees, row.fee_numbers, 100.0),
        changes: Changes {
            changed: count_of(row.changed),
            extended: count_of(row.extended),
            days: count_of(row.extension),
        },
        ..BuyerFigures::default()
    })
}

/// Adds the tenders of figures of which there are too few to tell.
async fn add_small_samples(
    db: impl PgExecutor<'_>,
    slug: &str,
    since: Option<Timestamp>,
    figures: &mut BuyerFigures,
) -> Result<(), sqlx::Error> {
    let mut spreads = [
        &mut figures.notice_days,
        &mut figures.bond_percentage,
        &mut figures.bond_amount,
        &mut figures.document_fee,
    ];
    let is_small = spreads.each_ref().map(|spread| (1..MIN_SAMPLE).contains(&spread.count));
    if !is_small.contains(&true) {
        return Ok(());
    }
    let rows = sqlx::query!(
        r#"select l.tender_id as "id!", r.record ->> 'title' as "title!", l.notice_days, l.bond_percentage, l.bond_amount, l.fee_amount
        from listed_tender l join tender_revision r on r.tender_id = l.tender_id and r.revision = l.revision
        where l.body_slug = $1 and ($2::timestamptz is null or l.published_at >= $2)
            and ($3 and l.notice_days is not null or $4 and l.bond_percentage is not null
                or $5 and l.bond_amount is not null or $6 and l.fee_amount is not null)
        order by l.published_at desc, l.tender_id limit 16"#,
        slug,
        since.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        is_small[0],
        is_small[1],
        is_small[2],
        is_small[3],
    )
    .fetch_all(db)
    .await?;
    for row in rows {
        let hundredths = |amount: Option<i64>| amount.map(|amount| amount as f64 / 100.0);
        let values = [
            row.notice_days.map(f64::from),
            row.bond_percentage,
            hundredths(row.bond_amount),
            hundredths(row.fee_amount),
        ];
        for ((spread, value), is_small) in spreads.iter_mut().zip(values).zip(is_small) {
            if let Some(value) = value.filter(|_| is_small) {
                spread.tenders.push(SingleValue { tender: row.id, title: row.title.clone(), value });
            }
        }
    }
    Ok(())
}
