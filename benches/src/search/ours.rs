//! `index::IndexStore`, through its public interface.

use super::{Engine, Question};
use crate::measure;
use anyhow::{Context, Result};
use index::{IndexStore, LogPosition, StoreRebuild};
use std::time::Duration;
use tempfile::TempDir;
use tender_model::{tender::Tender, vocabulary::Moment};
use uuid::Uuid;

pub(super) struct Ours {
    // This field must be dropped before the directory.
    index_store: IndexStore,
    filling: Option<StoreRebuild>,
    directory: TempDir,
    now: Moment,
}

impl Ours {
    /// Creates an index. `threads` is the number of indexing threads, besides the thread that feeds
    /// them.
    pub(super) fn new(now: Moment, threads: usize) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let index_store = IndexStore::open_or_create(directory.path())?;
        let filling = Some(index_store.rebuild_with(threads)?);
        Ok(Self { index_store, filling, directory, now })
    }
}

impl Engine for Ours {
    fn add(&mut self, tenders: &[Tender]) -> Result<()> {
        let filling = self.filling.as_mut().context("the index is already filled")?;
        Ok(tenders.iter().try_for_each(|tender| filling.put(tender))?)
    }

    fn finish(&mut self) -> Result<()> {
        let filling = self.filling.take().context("the index is already filled")?;
        Ok(filling.publish(LogPosition { position: 1, change_id: Uuid::nil() })?)
    }

    fn bytes(&mut self) -> Result<u64> {
        measure::size_of(self.directory.path())
    }

    fn run_query(&mut self, question: &Question) -> Result<usize> {
        super::run_listing(&self.index_store, question, self.now)
    }

    fn fill_time(&self) -> Result<Duration> {
        Ok(measure::process_time())
    }

    fn query_time(&self) -> Result<Duration> {
        Ok(measure::process_time())
    }

    fn memory(&self) -> Result<f64> {
        measure::resident("self")
    }
}
