//! `index::IndexStore`, through its public interface.

use super::{Engine, MAX_NAMES, PAGE_SIZE, Question};
use crate::measure;
use anyhow::{Context, Result};
use index::{IndexStore, ListingRequest, LogPosition, StoreRebuild};
use std::{fs, path::Path, time::Duration};
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
        size_of(self.directory.path())
    }

    fn run_query(&mut self, question: &Question) -> Result<usize> {
        let request = ListingRequest {
            text: question.text.clone(),
            filter: question.filter(),
            sort: question.sort(),
            limit: PAGE_SIZE,
            facets: Some(MAX_NAMES),
            ..ListingRequest::default()
        };
        let listing = self.index_store.listing(&request, self.now)?;
        listing.facets.as_ref().context("there are no facets")?;
        Ok(listing.total)
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

fn size_of(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size_of(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}
