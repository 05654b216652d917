//! [`SharedEngine`]: a search engine whose index several processes share.

use index::{
    AlertMatches, Duplicate, IndexError, IndexRebuild, IndexStore, IndexWriter, Listing, ListingRequest,
    LogPosition, NodeCounts, SearchEngine, SimilarHit, Stats, Suggestion,
};
use std::sync::Arc;
use tempfile::TempDir;
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// An embedded index under the name of a shared one. Like any embedded index, it has at most one writer at a
/// time, so two processes that write at the same time fail.
pub struct SharedEngine(pub IndexStore);

impl SharedEngine {
    /// Creates an engine with an empty index in a folder of its own.
    pub fn create() -> (TempDir, Arc<dyn SearchEngine>) {
        let folder = tempfile::tempdir().unwrap();
        let store = IndexStore::open_or_create(&folder.path().join("index")).unwrap();
        (folder, Arc::new(Self(store)))
    }
}

impl SearchEngine for SharedEngine {
    fn shared_name(&self) -> Option<&str> {
        Some("tenders-test")
    }

    fn nodes(&self) -> Option<NodeCounts> {
        Some(NodeCounts { working: 2, failed: 1, unanswered: 5 })
    }

    fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        self.0.listing(request, now)
    }

    fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        self.0.matching(alert, now, rates, limit)
    }

    fn similar(&self, tender: &Tender, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        self.0.similar(tender, limit)
    }

    fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        self.0.duplicates(tender, limit)
    }

    fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        self.0.suggest(text)
    }

    fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        self.0.stats(now)
    }

    fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        self.0.get(id)
    }

    fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        self.0.scan(visit)
    }

    fn position(&self) -> Option<LogPosition> {
        self.0.position()
    }

    fn check(&self) -> Result<(), IndexError> {
        self.0.check()
    }

    fn refresh(&self) -> Result<bool, IndexError> {
        self.0.refresh()
    }

    fn writer(&self) -> Result<Box<dyn IndexWriter>, IndexError> {
        Ok(Box::new(self.0.writer()?))
    }

    fn rebuild(&self) -> Result<Box<dyn IndexRebuild>, IndexError> {
        Ok(Box::new(self.0.rebuild()?))
    }
}
