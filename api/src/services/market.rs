//! The pages of buyers and of the market. Everyone may read them.

use crate::{
    app::{context::Context, market_cache::MarketCache},
    domain::{
        award::{AwardFilter, StoredAward},
        error::ServiceError,
        market::{Buyer, BuyerFigures, BuyerTender, Market, MarketFilter, MonthCount, WeekCount},
        tender_facts::body_slug,
    },
    services::entitlement::Entitlement,
    storage::{self, awards, buyers, market, tender_facts},
};
use index::Viewer;
use jiff::{Timestamp, ToSpan, civil::Date};
use std::{cmp::Reverse, sync::Arc};
use tender_model::{
    text::normalise,
    vocabulary::{Day, gazetteer::body_words},
};

/// The number of months that the market lists.
const MONTHS: i64 = 12;
/// The number of weeks of closings that the market lists.
const WEEKS: i64 = 8;
/// The newest awards that a body's page shows.
const AWARDS: i64 = 5;
/// The number of tenders whose facts are stored in one transaction.
const FILL_BATCH: i64 = 200;

/// All bodies, with a text to look for in their names. `None`: all.
pub async fn list_buyers(
    context: &Context,
    cache: &MarketCache,
    search: Option<&str>,
) -> Result<Vec<Buyer>, ServiceError> {
    let all = all_buyers(context, cache).await?;
    let Some(search) = search else { return Ok(all.to_vec()) };
    let words = normalise(search);
    // An acronym stands for the name.
    let full = body_words(search);
    let mut found: Vec<(bool, &Buyer)> = all
        .iter()
        .filter_map(|buyer| {
            // The slug has the words of the full name if a shown spelling is an acronym.
            let name = format!(" {} {}", normalise(&buyer.name), buyer.slug.replace('-', " "));
            let starts_words = words.split(' ').all(|word| name.contains(&format!(" {word}")));
            let is_named = body_words(&buyer.name) == full;
            (starts_words || is_named).then_some((is_named, buyer))
        })
        .collect();
    found.sort_by_key(|(is_named, _)| Reverse(*is_named));
    Ok(found.into_iter().map(|(_, buyer)| buyer.clone()).collect())
}

async fn all_buyers(context: &Context, cache: &MarketCache) -> Result<Arc<Vec<Buyer>>, ServiceError> {
    let read = async { Ok(buyers::list(&context.db, context.clock.now()).await?) };
    cache.buyers(read).await
}

/// A body by its slug or by a spelling of its name.
///
/// # Errors
/// Not found, if no certain tender and no award names the body.
pub async fn find_buyer(context: &Context, slug_or_name: &str) -> Result<Buyer, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Buyer");
    let now = context.clock.now();
    // A text in Postgres can't contain NUL.
    if !slug_or_name.contains('\0')
        && let Some(buyer) = buyers::find(&context.db, slug_or_name, now).await?
    {
        return Ok(buyer);
    }
    let slug = body_slug(slug_or_name).filter(|slug| slug != slug_or_name).ok_or(NOT_FOUND)?;
    buyers::find(&context.db, &slug, now).await?.ok_or(NOT_FOUND)
}

/// The figures of a body.
pub async fn buyer_figures(
    context: &Context,
    cache: &MarketCache,
    slug: &str,
) -> Result<Arc<BuyerFigures>, ServiceError> {
    let count = async {
        // Single values are those that a guest may read.
        let since = match Entitlement::of_user(None, context).await?.viewer() {
            Viewer::Limited { since, .. } => since.map(|since| since.timestamp()),
            Viewer::Unlimited => None,
        };
        let mut tx = storage::begin_list(&context.db).await?;
        Ok(buyers::figures(&mut tx, slug, since, context.clock.now()).await?)
    };
    cache.figures(slug, count).await
}

/// A page of a body's open or past tenders.
pub async fn buyer_tenders(
    context: &Context,
    slug: &str,
    is_open: bool,
    page: (i64, i64),
) -> Result<Vec<BuyerTender>, ServiceError> {
    Ok(buyers::tenders(&context.db, slug, is_open, page, context.clock.now()).await?)
}

/// The newest awards that a body proposed.
pub async fn buyer_awards(context: &Context, slug: &str) -> Result<Vec<StoredAward>, ServiceError> {
    let filter = AwardFilter { body_slug: Some(slug.to_owned()), ..AwardFilter::default() };
    Ok(awards::page(&context.db, &filter, (AWARDS, 0)).await?)
}

/// The figures of the market.
pub async fn read_market(
    context: &Context,
    cache: &MarketCache,
    filter: MarketFilter,
) -> Result<Arc<Market>, ServiceError> {
    cache.market(filter, count_market(context, filter)).await
}

async fn count_market(context: &Context, filter: MarketFilter) -> Result<Market, ServiceError> {
    let now: Timestamp = context.clock.now();
    let today = context.clock.moment().day();
    let first_month = months_before(today, MONTHS - 1);
    let monday = week_of(today);
    let weeks_end = monday.saturating_add((7 * WEEKS).days());
    let mut tx = storage::begin_list(&context.db).await?;
    let mut market = market::read(&mut tx, filter, first_month, (monday, weeks_end), now).await?;
    // A month or a week without tenders has a row too.
    let count_of =
        |month: Day| market.months.iter().find(|row| row.month == month).map_or(0, |row| row.count);
    market.months = (0..MONTHS)
        .map(|nth| months_before(today, MONTHS - 1 - nth))
        .map(|month| MonthCount { month, count: count_of(month) })
        .collect();
    let closing = |week: Day| {
        let found = market.closings.iter().find(|row| row.week == week).cloned();
        found.unwrap_or(WeekCount { week, count: 0, uncertain: 0 })
    };
    market.closings = (0..WEEKS).map(|nth| monday.saturating_add((7 * nth).days())).map(closing).collect();
    Ok(market)
}

/// The first day of the month this many months before a day.
fn months_before(day: Day, months: i64) -> Date {
    day.first_of_month().saturating_sub(months.months())
}

/// The Monday of the week of a day.
fn week_of(day: Day) -> Date {
    day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// Stores the facts of tenders and awards that an earlier version of the program stored. Returns whether
/// there may be more.
pub async fn fill_facts(context: &Context) -> Result<bool, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let filled = tender_facts::fill(&mut tx, FILL_BATCH).await?;
    let awards = tender_facts::fill_award_bodies(&mut tx).await?;
    tx.commit().await?;
    Ok(filled > 0 || awards > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        assert_eq!(week_of(date(2026, 11, 29)), date(2026, 11, 23));
        assert_eq!(week_of(date(2026, 11, 23)), date(2026, 11, 23));
        assert_eq!(months_before(date(2026, 3, 31), 11), date(2025, 4, 1));
    }
}
