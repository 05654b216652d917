//! [`Percolator`]: the door to the stored alerts, for any number of readers and writers at once. How alerts are kept is `store`'s part, how a tender
//! is read against them `reading`'s.

use super::{
    MatchReason,
    alert_store::AlertStore,
    matcher::{Matcher, PercolationRequest},
};
use crate::document::{TextField, text_of};
use std::{
    cell::RefCell,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};
use tender_model::{
    alert::{AlertError, AlertQuery},
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// Stored alerts, ready to meet a tender. Putting, replacing and removing one costs only its own keywords, and may be done while
/// other threads percolate: a tender meets the alerts as they stand at one moment.
///
/// ```
/// use index::{alert::AlertQuery, percolate::Percolator, tender::Tender, vocabulary::{Rates, TenderStatus}};
/// use uuid::Uuid;
///
/// let query: AlertQuery = serde_json::from_str(r#"{"keywords":[{"term":"bridge","matchType":"starts_with"}]}"#)?;
/// let percolator = Percolator::new();
/// percolator.put(Uuid::from_u128(7), &query)?;
///
/// let tender = Tender {
///     title: "Repair of five Bridges".into(),
///     status: TenderStatus::Published,
///     ..Tender::default()
/// };
/// let now = "2026-11-20T09:00:00+05:30".parse()?;
/// let found = percolator.percolate(&tender, now, &Rates::default());
/// assert_eq!(found.hits[0].alert, Uuid::from_u128(7));
/// assert_eq!(found.hits[0].passage.of(&tender), "Bridge");
/// assert_eq!(percolator.why(&found.hits[0]).map(|why| why.keyword), Some("bridge".into()));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Percolator {
    store: RwLock<AlertStore>,
}

/// What percolating one tender found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Percolation {
    /// The alerts that match, by id.
    pub hits: Vec<AlertHit>,
    /// What it took.
    pub counters: PercolationCounters,
}

/// An alert that matches: its first keyword that was found, and its first place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertHit {
    /// The alert.
    pub alert: Uuid,
    /// Which of its keywords, from 0.
    pub keyword: usize,
    /// Where it was found.
    pub passage: MatchedPassage,
}

/// Where a keyword was found in a tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchedPassage {
    /// In which of its texts.
    pub field: TextField,
    /// First byte in that text.
    pub start: usize,
    /// Byte after the last in that text.
    pub end: usize,
}

impl MatchedPassage {
    /// The passage itself, of the tender that was percolated.
    #[must_use]
    pub fn of(self, tender: &Tender) -> &str {
        text_of(tender, self.field).get(self.start..self.end).unwrap_or_default()
    }
}

/// How many patterns and alerts were looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PercolationCounters {
    /// Patterns that the tender's text led to.
    pub candidates: usize,
    /// Of those, patterns that stand in the tender.
    pub verified: usize,
    /// Alerts that match.
    pub matched: usize,
}

/// Room for texts of more bytes than this is given back at once.
const LARGE: usize = 1 << 20;

thread_local! {
    static SCRATCH: RefCell<Matcher> = RefCell::default();
}

impl Percolator {
    /// No alerts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts an alert, in the place of its former self if there is one.
    ///
    /// # Errors
    /// [`AlertError`] when it can't be matched; then nothing has changed.
    pub fn put(&self, alert: Uuid, query: &AlertQuery) -> Result<(), AlertError> {
        self.write().put(alert, query)
    }

    /// Removes an alert; says whether it was there.
    pub fn remove(&self, alert: Uuid) -> bool {
        self.write().remove(alert)
    }

    /// How many alerts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is no alert.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many distinct patterns the alerts have.
    #[must_use]
    pub fn patterns(&self) -> usize {
        self.read().atoms.len()
    }

    /// The alerts that match a tender at a moment, by id. A draft or a withdrawn tender matches none.
    #[must_use]
    pub fn percolate(&self, tender: &Tender, now: Moment, rates: &Rates) -> Percolation {
        self.ask(&PercolationRequest { tender, now, rates, entering: false })
    }

    /// The same for several tenders, in their order. Alerts may change between one and the next.
    pub fn percolate_all<'a>(
        &'a self,
        tenders: impl IntoIterator<Item = &'a Tender, IntoIter: 'a>,
        now: Moment,
        rates: &'a Rates,
    ) -> impl Iterator<Item = Percolation> + 'a {
        tenders.into_iter().map(move |tender| self.percolate(tender, now, rates))
    }

    /// The alerts that match a tender from this day on, because its days until closing have come down to their upper bound: for the one
    /// match that time alone makes. Quick where no alert has this bound; see also [`Percolator::day_bounds`].
    #[must_use]
    pub fn percolate_entering(&self, tender: &Tender, now: Moment, rates: &Rates) -> Percolation {
        self.ask(&PercolationRequest { tender, now, rates, entering: true })
    }

    /// The upper bounds on days until closing that any alert has, ascending: on a day, only tenders that close so many days
    /// later can be entered by time alone.
    #[must_use]
    pub fn day_bounds(&self) -> Vec<u16> {
        self.read().by_maximum_days.keys().copied().collect()
    }

    /// Why an alert matched, in words that can be stored. `None` when the alert is no longer there; when it was replaced since, the
    /// keyword is that of its present self.
    #[must_use]
    pub fn why(&self, hit: &AlertHit) -> Option<MatchReason> {
        let keyword = self.read().term(hit.alert, hit.keyword)?.to_owned();
        let MatchedPassage { field, start, end } = hit.passage;
        Some(MatchReason { keyword, field: field.to_string(), start, end })
    }

    fn ask(&self, asked: &PercolationRequest<'_>) -> Percolation {
        if !asked.tender.status.is_public() {
            return Percolation::default();
        }
        SCRATCH.with(|scratch| {
            let mut scratch = scratch.borrow_mut();
            scratch.paper.read(asked.tender);
            let found = scratch.percolate(&self.read(), asked);
            if scratch.paper.bytes().len() > LARGE {
                *scratch = Matcher::default();
            }
            found
        })
    }

    fn read(&self) -> RwLockReadGuard<'_, AlertStore> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, AlertStore> {
        self.store.write().unwrap_or_else(PoisonError::into_inner)
    }
}
