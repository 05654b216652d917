//! Orders of a listing as keys of numbers that no merge of segments changes, and the best tenders by them.

use super::{
    columns::{SegmentColumns, TenderRow, UNKNOWN},
    dictionary::Dictionary,
    filter::CompiledFilter,
    request::{ListingRequest, Sort},
};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal};

/// Where a tender stands: the greatest is listed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SortKey {
    /// By the order asked for.
    pub(super) first: u64,
    /// By publication, where that isn't the order already.
    pub(super) second: u64,
    /// The id.
    pub(super) id: u128,
}

/// How keys are made.
pub(super) enum Order {
    Relevance,
    Newest,
    /// By code of form: open unless its time has run out.
    Closing(Vec<bool>),
    /// By code of currency: rupees for one unit.
    Value(Vec<Option<f64>>),
}

impl Order {
    /// The order asked for.
    pub(super) fn new(request: &ListingRequest, has_text: bool, dictionary: &Dictionary) -> Self {
        match request.sort {
            Sort::Best if has_text => Self::Relevance,
            Sort::Best | Sort::Newest => Self::Newest,
            Sort::Closing => {
                let forms = dictionary.form_members().iter();
                Self::Closing(forms.map(|members| members.is_live()).collect())
            }
            Sort::Value => {
                let rate = |code| request.rates.rate(dictionary.currency(code as u16)?);
                Self::Value((0..dictionary.currencies.len()).map(rate).collect())
            }
        }
    }

    /// The first two parts of a row's key.
    #[inline]
    pub(super) fn key(&self, sieve: &CompiledFilter, row: &TenderRow<'_>, score: Score) -> (u64, u64) {
        let newest = row.published_key();
        match self {
            // Scores are never negative, and such floats order as their bits do.
            Self::Relevance => (score.max(0.0).to_bits().into(), newest),
            Self::Newest => (newest, 0),
            Self::Closing(open) => {
                let is_open = open[row.hot.form as usize] && sieve.expired(row) == 0;
                let first = match (is_open, row.cold.closing) {
                    (true, UNKNOWN) => ranked(1, 0),
                    (true, closing) => ranked(2, -closing),
                    (false, UNKNOWN) => ranked(0, row.hot.live_until),
                    (false, closing) => ranked(0, closing),
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

/// A class, and within it a number of seconds.
fn ranked(class: u64, seconds: i64) -> u64 {
    const HALF: i64 = 1 << 60;
    class << 62 | seconds.clamp(-HALF, HALF).wrapping_add(HALF) as u64
}

/// The best of what was seen, cut back now and then.
pub(super) struct TopTenders {
    keep: usize,
    /// Only what stands behind this.
    after: Option<SortKey>,
    /// What can't be among the best any more has lesser first parts.
    least: (u64, u64),
    found: Vec<RankedTender>,
}

/// A tender and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedTender {
    pub(super) key: SortKey,
    pub(super) address: DocAddress,
}

impl TopTenders {
    pub(super) const fn new(keep: usize, after: Option<SortKey>) -> Self {
        Self { keep, after, least: (0, 0), found: Vec::new() }
    }

    /// Sees a tender.
    #[inline]
    pub(super) fn see(
        &mut self,
        (first, second): (u64, u64),
        table: &SegmentColumns,
        segment: SegmentOrdinal,
        document: DocId,
    ) {
        if (first, second) < self.least || self.keep == 0 {
            return;
        }
        if self.after.is_some_and(|after| (first, second) > (after.first, after.second)) {
            return;
        }
        let key = SortKey { first, second, id: table.id(document).as_u128() };
        if self.after.is_some_and(|after| key >= after) {
            return;
        }
        self.found.push(RankedTender { key, address: DocAddress::new(segment, document) });
        if self.found.len() >= self.keep.saturating_mul(2).max(256) {
            self.cut();
        }
    }

    /// A tender of a lesser score can't be among the best any more, where the order is by relevance.
    pub(super) const fn least_score(&self) -> Score {
        Score::from_bits(self.least.0 as u32)
    }

    /// Takes over what another saw of other tenders.
    pub(super) fn add(&mut self, other: Self) {
        self.found.extend(other.found);
        self.least = self.least.max(other.least);
        self.cut();
    }

    fn cut(&mut self) {
        if self.found.len() > self.keep && self.keep > 0 {
            let (_, last, _) = self.found.select_nth_unstable_by(self.keep - 1, |a, b| b.cmp(a));
            self.least = (last.key.first, last.key.second);
            self.found.truncate(self.keep);
        }
    }

    /// The best, best first.
    pub(super) fn into_sorted(mut self) -> Vec<RankedTender> {
        if self.keep > 0 {
            self.cut();
        }
        self.found.sort_unstable_by(|a, b| b.cmp(a));
        self.found
    }
}
