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
pub struct SharedEngine {
    store: IndexStore,
    dies_in_rebuild: bool,
}

impl SharedEngine {
    /// Creates an engine with an empty index in a folder of its own.
    pub fn create() -> (TempDir, Arc<dyn SearchEngine>) {
        Self::create_with(false)
    }

    /// Creates an engine whose rebuilds fail after they have replaced the index, as if the process died.
    pub fn create_dying() -> (TempDir, Arc<dyn SearchEngine>) {
        Self::create_with(true)
    }

    fn create_with(dies_in_rebuild: bool) -> (TempDir, Arc<dyn SearchEngine>) {
        let folder = tempfile::tempdir().unwrap();
        let store = IndexStore::open_or_create(&folder.path().join("index")).unwrap();
        (folder, Arc::new(Self { store, dies_in_rebuild }))
    }
}

/// A rebuild that fails after it has replaced the index.
struct DyingRebuild(Box<dyn IndexRebuild>);

impl IndexRebuild for DyingRebuild {
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, position: i64) -> Result<(), IndexError> {
        self.0.put(tender, owner, position)
    }

    fn remove(&mut self, id: Uuid, position: i64) -> Result<(), IndexError> {
        self.0.remove(id, position)
    }

    fn publish(self: Box<Self>, at: LogPosition) -> Result<(), IndexError> {
        self.0.publish(at)?;
        Err(IndexError::Unavailable("the process has died".into()))
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
        self.store.listing(request, now)
    }

    fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        self.store.matching(alert, now, rates, limit)
    }

    fn similar(&self, tender: &Tender, now: Moment, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        self.store.similar(tender, now, limit)
    }

    fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        self.store.duplicates(tender, limit)
    }

    fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        self.store.suggest(text)
    }

    fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        self.store.stats(now)
    }

    fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        self.store.get(id)
    }

    fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        self.store.scan(visit)
    }

    fn position(&self) -> Option<LogPosition> {
        self.store.position()
    }

    fn check(&self) -> Result<(), IndexError> {
        self.store.check()
    }

    fn refresh(&self) -> Result<bool, IndexError> {
        self.store.refresh()
    }

    fn writer(&self) -> Result<Box<dyn IndexWriter>, IndexError> {
        Ok(Box::new(self.store.writer()?))
    }

    fn rebuild(&self) -> Result<Box<dyn IndexRebuild>, IndexError> {
        let rebuild = Box::new(self.store.rebuild()?);
        Ok(if self.dies_in_rebuild { Box::new(DyingRebuild(rebuild)) } else { rebuild })
    }
}
