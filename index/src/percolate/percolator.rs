//! [`Percolator`]: the entry point to the stored alerts, for concurrent readers and writers.

use super::{
    alert_store::AlertStore,
    match_reason::MatchReason,
    matcher::{Matcher, PercolationRequest},
    percolation::{AlertHit, MatchedPassage, Percolation},
};
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

/// Stored alerts to match tenders against. The time to add an alert is proportional to the number
/// of its keywords. The time to remove an alert also depends on how many alerts share its keywords.
/// Several threads may percolate at the same time. Changes and percolations wait for each other, so
/// each percolation uses a consistent state.
///
/// ```
/// use index::percolate::Percolator;
/// use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::{Rates, TenderStatus}};
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
/// assert_eq!(percolator.match_reason(&found.hits[0]).map(|reason| reason.keyword), Some("bridge".into()));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Percolator {
    store: RwLock<AlertStore>,
}

/// After a tender whose joined words have more bytes than this, the working memory is freed.
const MAX_RETAINED_BYTES: usize = 1 << 20;

thread_local! {
    static MATCHER: RefCell<Matcher> = RefCell::default();
}

impl Percolator {
    /// A percolator without alerts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces an alert.
    ///
    /// # Errors
    /// [`AlertError`] if the alert cannot be matched. Nothing changes then.
    pub fn put(&self, alert: Uuid, query: &AlertQuery) -> Result<(), AlertError> {
        self.write().put(alert, query)
    }

    /// Removes an alert. Returns whether it was stored.
    pub fn remove(&self, alert: Uuid) -> bool {
        self.write().remove(alert)
    }

    /// The number of alerts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are no alerts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of distinct keyword patterns of all alerts, including exclude keywords.
    #[must_use]
    pub fn pattern_count(&self) -> usize {
        self.read().atoms.len()
    }

    /// The alerts that match a tender at a given time, sorted by id. Drafts and withdrawn tenders
    /// match none.
    #[must_use]
    pub fn percolate(&self, tender: &Tender, now: Moment, rates: &Rates) -> Percolation {
        self.match_tender(&PercolationRequest { tender, now, rates })
    }

    /// The reason for a hit in a form that can be stored. `None` if the alert was removed. If the
    /// alert was replaced, the keyword comes from the new version.
    #[must_use]
    pub fn match_reason(&self, hit: &AlertHit) -> Option<MatchReason> {
        let keyword = self.read().term(hit.alert, hit.keyword)?.to_owned();
        let MatchedPassage { field, start, end } = hit.passage;
        Some(MatchReason { keyword, field: field.to_string(), start, end })
    }

    fn match_tender(&self, request: &PercolationRequest<'_>) -> Percolation {
        if !request.tender.status.is_public() {
            return Percolation::default();
        }
        MATCHER.with(|matcher| {
            let mut matcher = matcher.borrow_mut();
            matcher.tokens.read(request.tender);
            let found = matcher.percolate(&self.read(), request);
            if matcher.tokens.bytes().len() > MAX_RETAINED_BYTES {
                *matcher = Matcher::default();
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
