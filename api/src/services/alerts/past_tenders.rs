//! [`PastTenders`]: the tenders that a query might have matched, to say what changes of the query
//! would have found.

use crate::{app::context::Context, storage::tenders};
use anyhow::Context as _;
use index::percolate::Percolator;
use tender_model::{
    alert::{AdvancedFilters, AlertQuery},
    tender::Tender,
    vocabulary::{Moment, Rates, TenderStatus},
};
use uuid::Uuid;

/// The maximum number of tenders that are loaded. They are the newest that match the keywords and
/// those filters that do not depend on time.
const MAX_TENDERS: usize = 500;

/// The newest tenders that match a query, apart from its conditions on status and remaining days.
#[derive(Debug, Default)]
pub struct PastTenders {
    /// Each tender with its publication, the newest first. Each is open, as it was then.
    tenders: Vec<(Moment, Tender)>,
    /// Whether there are older ones that were not loaded.
    is_cut: bool,
}

impl PastTenders {
    /// Loads the tenders that a query might have matched.
    pub async fn load(context: &Context, query: &AlertQuery) -> anyhow::Result<Self> {
        let (engine, rates) = (context.search_engine.clone(), context.config.rates_lkr.clone());
        let (wide, now) = (without_status_and_closing(query), context.clock.moment());
        let found = tokio::task::spawn_blocking(move || engine.matching(&wide, now, &rates, MAX_TENDERS));
        let found = found.await.context("finding the past tenders of an alert")??;
        let records = tenders::by_ids(&context.db, &found.ids).await?;
        let published = records.into_iter().filter_map(|record| {
            // The status may have changed after publication.
            let tender = Tender { status: TenderStatus::Published, ..record.tender };
            Some((tender.published_at?, tender))
        });
        let mut tenders: Vec<(Moment, Tender)> = published.collect();
        tenders.sort_by_key(|(at, tender)| std::cmp::Reverse((*at, tender.id)));
        Ok(Self { tenders, is_cut: found.total > found.ids.len() })
    }

    /// The tenders with their publications, the newest first.
    #[must_use]
    pub fn tenders(&self) -> &[(Moment, Tender)] {
        &self.tenders
    }

    /// Whether there are older tenders that were not loaded.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The tenders that were published at or after this moment.
    #[must_use]
    pub fn since(&self, from: Moment) -> &[(Moment, Tender)] {
        &self.tenders[..self.tenders.partition_point(|(at, _)| *at >= from)]
    }
}

/// How many of the tenders each query would have matched at their publication.
#[must_use]
pub fn count_matches(queries: &[&AlertQuery], tenders: &[(Moment, Tender)], rates: &Rates) -> Vec<usize> {
    let percolator = Percolator::new();
    for (nth, query) in queries.iter().enumerate() {
        // A query that cannot match counts 0.
        let _ = percolator.put(Uuid::from_u128(nth as u128), query);
    }
    let mut counts = vec![0; queries.len()];
    for (at, tender) in tenders {
        for hit in percolator.percolate(tender, *at, rates).hits {
            let nth = usize::try_from(hit.alert.as_u128()).ok();
            if let Some(count) = nth.and_then(|nth| counts.get_mut(nth)) {
                *count += 1;
            }
        }
    }
    counts
}

/// The tenders that a query would have matched at their publication.
#[must_use]
pub fn matches<'t>(query: &AlertQuery, tenders: &'t [(Moment, Tender)], rates: &Rates) -> Vec<&'t Tender> {
    let percolator = Percolator::new();
    let _ = percolator.put(Uuid::nil(), query);
    let matching =
        tenders.iter().filter(|(at, tender)| !percolator.percolate(tender, *at, rates).hits.is_empty());
    matching.map(|(_, tender)| tender).collect()
}

/// Returns the query without its conditions on status and remaining days.
fn without_status_and_closing(query: &AlertQuery) -> AlertQuery {
    use TenderStatus::{Awarded, Cancelled, Closed, Published};
    let advanced_filters = AdvancedFilters {
        min_days_until_closing: None,
        max_days_until_closing: None,
        included_statuses: vec![Published, Closed, Awarded, Cancelled],
        ..query.advanced_filters.clone()
    };
    AlertQuery { advanced_filters, ..query.clone() }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tender_model::alert::Keyword;

    /// Open tenders with these titles, one an hour back from the given moment.
    pub(crate) fn past(newest: &str, titles: &[&str]) -> PastTenders {
        let newest: Moment = newest.parse().unwrap();
        let tenders = titles.iter().enumerate().map(|(nth, title)| {
            let hours = jiff::SignedDuration::from_hours(nth as i64);
            let at = Moment::new(newest.timestamp().checked_sub(hours).unwrap());
            let id = Uuid::from_u128(nth as u128);
            (
                at,
                Tender {
                    id,
                    title: (*title).to_owned(),
                    status: TenderStatus::Published,
                    ..Tender::default()
                },
            )
        });
        PastTenders { tenders: tenders.collect(), is_cut: false }
    }

    pub(crate) fn query(terms: &[&str]) -> AlertQuery {
        let keyword = |term: &&str| Keyword { term: (*term).to_owned(), ..Keyword::default() };
        AlertQuery { keywords: terms.iter().map(keyword).collect(), ..AlertQuery::default() }
    }

    #[test]
    fn each_query_is_counted_by_itself() {
        let past = past("2026-11-20T09:00:00+05:30", &["Bridge at Galle", "Road", "Bridges and roads"]);
        let queries = [query(&["bridge"]), query(&["road"]), query(&["zebra"]), query(&["--"])];
        let queries: Vec<&AlertQuery> = queries.iter().collect();
        assert_eq!(count_matches(&queries, past.tenders(), &Rates::default()), [2, 2, 0, 0]);
        let since = past.since("2026-11-20T08:00:00+05:30".parse().unwrap());
        assert_eq!(count_matches(&queries, since, &Rates::default()), [1, 1, 0, 0]);
    }
}
