//! The orders of a listing, as numeric keys that do not depend on segments, and the selection of
//! the top tenders.

use super::{
    columns::{SegmentColumns, TenderRow, UNKNOWN},
    compiled_filter::CompiledFilter,
    dictionary::Dictionary,
};
use crate::search::{ListingRequest, Sort, SortKey};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal};

/// How keys are computed.
pub(super) enum Order {
    Relevance,
    Newest,
    /// For each code of the other traits, whether a tender is open for bids until it expires.
    Closing(Vec<bool>),
    /// For each currency code, the rate in rupees.
    Value(Vec<Option<f64>>),
}

impl Order {
    /// The order of a request.
    pub(super) fn new(request: &ListingRequest, has_text: bool, dictionary: &Dictionary) -> Self {
        match request.sort {
            Sort::Best if has_text => Self::Relevance,
            Sort::Best | Sort::Newest => Self::Newest,
            Sort::Closing => {
                let forms = dictionary.other_trait_values().iter();
                Self::Closing(forms.map(|other_traits| other_traits.is_live()).collect())
            }
            Sort::Value => {
                let rate = |code| request.rates.rate(dictionary.currency(code as u16)?);
                Self::Value((0..dictionary.currencies.len()).map(rate).collect())
            }
        }
    }

    /// The first two parts of a key.
    #[inline]
    pub(super) fn key(&self, filter: &CompiledFilter, row: &TenderRow<'_>, score: Score) -> (u64, u64) {
        let newest = row.published_key();
        match self {
            // Scores are never negative, and floats that are not negative sort like their bits.
            Self::Relevance => (score.max(0.0).to_bits().into(), newest),
            Self::Newest => (newest, 0),
            Self::Closing(open) => {
                let is_open = open[row.hot.other_traits as usize] && filter.expired(row) == 0;
                let first = match (is_open, row.cold.closing) {
                    (true, UNKNOWN) => class_key(1, 0),
                    (true, closing) => class_key(2, -closing),
                    (false, UNKNOWN) => class_key(0, row.hot.live_until),
                    (false, closing) => class_key(0, closing),
                };
                (first, newest)
            }
            Self::Value(rates) => {
                let rate = rates[row.hot.currency as usize].filter(|_| row.cold.value != UNKNOWN);
                let first = rate.map_or(0, |rate| 1 + (row.cold.value as f64 * rate).round() as u64);
                (first, newest)
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

    /// The score below which a tender cannot be among the top any more. Valid only if the order is
    /// by relevance.
    pub(super) const fn least_score(&self) -> Score {
        Score::from_bits(self.least.0 as u32)
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
