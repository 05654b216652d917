//! The orders of a listing, as numeric keys that do not depend on segments, and the selection of
//! the top tenders.

use super::{
    columns::{SegmentColumns, TenderRow, UNKNOWN},
    compiled_filter::CompiledFilter,
    dictionary::{Dictionary, TraitValue},
};
use crate::search::{ListingRequest, Sort, SortKey};
use std::cmp::Ordering;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal};

/// The order of a listing.
pub(super) struct Order {
    by: OrderBy,
    /// Whether open tenders are listed before all others.
    open_first: bool,
    /// For each code of the other traits, whether a tender is open for bids until it expires.
    open: Vec<bool>,
}

/// What a listing, or each of its groups, is ordered by.
enum OrderBy {
    Relevance,
    Newest,
    Closing,
    /// For each currency code, the rate in rupees.
    Value(Vec<Option<f64>>),
}

/// The number of bits of a score. Above them stands the bit of the group.
const SCORE_BITS: u32 = 32;

/// The greatest value in an order by value. Above it stands the bit of the group.
const MAX_VALUE: u64 = (1 << 62) - 1;

impl Order {
    /// The order of a request.
    pub(super) fn new(request: &ListingRequest, has_text: bool, dictionary: &Dictionary) -> Self {
        let by = match request.sort {
            Sort::Best if has_text => OrderBy::Relevance,
            Sort::Best | Sort::Newest => OrderBy::Newest,
            Sort::Closing => OrderBy::Closing,
            Sort::Value => {
                let rate = |code| request.rates.rate(dictionary.currency(code as u16)?);
                OrderBy::Value((0..dictionary.currencies.len()).map(rate).collect())
            }
        };
        let open = dictionary.other_trait_values().iter().map(TraitValue::is_live).collect();
        Self { by, open_first: request.open_first, open }
    }

    /// Whether the order is by relevance.
    pub(super) const fn is_by_relevance(&self) -> bool {
        matches!(self.by, OrderBy::Relevance)
    }

    /// Whether the order is by publication.
    pub(super) const fn is_by_publication(&self) -> bool {
        matches!(self.by, OrderBy::Newest)
    }

    /// Whether open tenders are listed before all others.
    pub(super) const fn is_open_first(&self) -> bool {
        self.open_first
    }

    /// Whether the tender is open for bids at the time of the filter.
    #[inline]
    fn is_open(&self, filter: &CompiledFilter, row: &TenderRow<'_>) -> bool {
        self.open[row.hot.other_traits as usize] && filter.expired(row) == 0
    }

    /// The group of a tender. The group with the greatest number is listed first.
    #[inline]
    pub(super) fn group(&self, filter: &CompiledFilter, row: &TenderRow<'_>) -> u64 {
        u64::from(self.open_first && self.is_open(filter, row))
    }

    /// The first two parts of a key.
    #[inline]
    pub(super) fn key(
        &self,
        filter: &CompiledFilter,
        row: &TenderRow<'_>,
        group: u64,
        score: Score,
    ) -> (u64, u64) {
        let newest = row.published_key();
        match &self.by {
            // Scores are never negative, and floats that are not negative sort like their bits.
            OrderBy::Relevance => (group << SCORE_BITS | u64::from(score.max(0.0).to_bits()), newest),
            OrderBy::Newest if self.open_first => (group, newest),
            OrderBy::Newest => (newest, 0),
            // This order has the same groups itself.
            OrderBy::Closing => {
                let first = match (self.is_open(filter, row), row.cold.closing) {
                    (true, UNKNOWN) => class_key(1, 0),
                    (true, closing) => class_key(2, -closing),
                    (false, UNKNOWN) => class_key(0, row.hot.live_until),
                    (false, closing) => class_key(0, closing),
                };
                (first, newest)
            }
            OrderBy::Value(rates) => {
                let rate = rates[row.hot.currency as usize].filter(|_| row.cold.value != UNKNOWN);
                let value = rate.map_or(0, |rate| 1 + (row.cold.value as f64 * rate).round() as u64);
                (group << 62 | value.min(MAX_VALUE), newest)
            }
        }
    }
}

/// A key with the class in its upper bits and the seconds in its lower bits.
fn class_key(class: u64, seconds: i64) -> u64 {
    const HALF: i64 = 1 << 60;
    class << 62 | seconds.clamp(-HALF, HALF).wrapping_add(HALF) as u64
}

/// The top tenders so far. When the buffer is full, surplus tenders are discarded.
pub(super) struct TopTenders {
    keep: usize,
    /// Only tenders that are listed after this key are kept.
    after: Option<SortKey>,
    /// Tenders with lower keys cannot be among the top any more.
    least: (u64, u64),
    found: Vec<RankedTender>,
}

/// A tender with its sort key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedTender {
    pub(super) key: SortKey,
    pub(super) address: DocAddress,
}

impl TopTenders {
    pub(super) const fn new(keep: usize, after: Option<SortKey>) -> Self {
        Self { keep, after, least: (0, 0), found: Vec::new() }
    }

    /// Adds a tender, unless it cannot be among the top tenders.
    #[inline]
    pub(super) fn add(
        &mut self,
        (first, second): (u64, u64),
        columns: &SegmentColumns,
        segment: SegmentOrdinal,
        document: DocId,
    ) {
        if (first, second) < self.least || self.keep == 0 {
            return;
        }
        if self.after.is_some_and(|after| (first, second) > (after.first, after.second)) {
            return;
        }
        let key = SortKey { first, second, id: columns.id(document).as_u128() };
        if self.after.is_some_and(|after| key >= after) {
            return;
        }
        self.found.push(RankedTender { key, address: DocAddress::new(segment, document) });
        if self.found.len() >= self.keep.saturating_mul(2).max(256) {
            self.discard_surplus();
        }
    }

    /// The score below which a tender of the group cannot be among the top any more. `None`: no tender
    /// of the group can. Valid only if the order is by relevance.
    #[inline]
    pub(super) fn least_score(&self, group: u64) -> Option<Score> {
        match group.cmp(&(self.least.0 >> SCORE_BITS)) {
            Ordering::Less => None,
            Ordering::Equal => Some(Score::from_bits(self.least.0 as u32)),
            Ordering::Greater => Some(0.0),
        }
    }

    /// Merges the results of another thread.
    pub(super) fn merge(&mut self, other: Self) {
        self.found.extend(other.found);
        self.least = self.least.max(other.least);
        self.discard_surplus();
    }

    fn discard_surplus(&mut self) {
        if self.found.len() > self.keep && self.keep > 0 {
            let (_, last, _) = self.found.select_nth_unstable_by(self.keep - 1, |a, b| b.cmp(a));
            self.least = (last.key.first, last.key.second);
            self.found.truncate(self.keep);
        }
    }

    /// The top tenders in order.
    pub(super) fn into_sorted(mut self) -> Vec<RankedTender> {
        if self.keep > 0 {
            self.discard_surplus();
        }
        self.found.sort_unstable_by(|a, b| b.cmp(a));
        self.found
    }
}
