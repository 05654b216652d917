//! Whether an alert would send too many tenders, counted over the last weeks that hold tenders.

use super::{
    past_tenders::PastTenders,
    proposals::{self, MAX_MATCHES_A_WEEK, Proposal, Sample},
};
use jiff::ToSpan;
use serde::Serialize;
use tender_model::{
    alert::AlertQuery,
    vocabulary::{Day, Moment, Rates},
};
use utoipa::ToSchema;

/// The maximum number of days that are counted.
const MAX_DAYS: i64 = 28;
/// The minimum number of days. A shorter time says nothing about a week.
const MIN_DAYS: i64 = 7;

/// How many tenders an alert would have matched in the last weeks that hold tenders.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breadth {
    /// The first counted day, in Colombo time.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last counted day: the last one with a tender.
    #[schema(value_type = String, format = Date)]
    until: Day,
    /// The number of counted days, 7 to 28.
    days: u32,
    /// The number of tenders that would have matched on these days.
    match_count: usize,
    /// The same as a number per week, to one decimal.
    matches_a_week: f64,
    /// Whether these are more than 30 a week.
    is_too_broad: bool,
    /// If the alert is too broad: at most three narrower versions.
    proposals: Vec<Proposal>,
}

impl Breadth {
    /// Counts the matches of a query. `published` are the first and the last publication of all tenders.
    #[must_use]
    pub fn of(query: &AlertQuery, past: &PastTenders, published: (Moment, Moment), rates: &Rates) -> Self {
        let until = published.1.day();
        let mut first = published.0.day().max(until.saturating_sub((MAX_DAYS - 1).days()));
        // Older tenders may match too. Only the days are counted for which all matches are known.
        if let Some((oldest, _)) = past.tenders().last().filter(|_| past.is_cut()) {
            first = first.max(oldest.day());
        }
        let from = first.min(until.saturating_sub((MIN_DAYS - 1).days()));
        let days = (until - from).get_days().unsigned_abs() + 1;
        let tenders = past.since(Moment::start_of(from).unwrap_or(published.0));
        let sample = Sample { tenders, days, rates };
        let match_count = sample.count(query);
        let matches_a_week = sample.a_week(match_count);
        let is_too_broad = matches_a_week > MAX_MATCHES_A_WEEK;
        let proposals = if is_too_broad { proposals::narrower(query, sample) } else { Vec::new() };
        Self { from, until, days, match_count, matches_a_week, is_too_broad, proposals }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::past_tenders::tests::{past, query},
        *,
    };

    const NEWEST: &str = "2026-11-20T23:00:00+05:30";

    fn breadth(count: usize, first: &str) -> Breadth {
        let titles = vec!["Bridge"; count];
        let published = (first.parse().unwrap(), NEWEST.parse().unwrap());
        Breadth::of(&query(&["bridge"]), &past(NEWEST, &titles), published, &Rates::default())
    }

    #[test]
    fn more_than_thirty_a_week_are_too_broad() {
        // Four weeks with 24 tenders on each of the last days.
        let broad = breadth(121, "2026-01-01T09:00:00+05:30");
        assert_eq!((broad.days, broad.matches_a_week, broad.is_too_broad), (28, 30.3, true));
        let narrow = breadth(120, "2026-01-01T09:00:00+05:30");
        assert_eq!((narrow.matches_a_week, narrow.is_too_broad), (30.0, false));
        assert!(narrow.proposals.is_empty());
    }

    #[test]
    fn new_portal_counts_the_days_that_it_has() {
        let young = breadth(24, "2026-11-10T09:00:00+05:30");
        assert_eq!((young.from.to_string(), young.days), ("2026-11-10".to_owned(), 11));
        let newest = breadth(31, "2026-11-20T09:00:00+05:30");
        assert_eq!((newest.days, newest.matches_a_week, newest.is_too_broad), (7, 31.0, true));
        assert_eq!(newest.until.to_string(), "2026-11-20");
    }
}
