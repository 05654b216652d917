//! Writing: [`StoreWriter`] changes the current index. [`StoreRebuild`] fills a new index, which
//! then replaces the current one. Neither stores drafts or withdrawn tenders.

use super::{
    current_file,
    generation::{Generation, commit},
    index_store::IndexStore,
};
use crate::{
    embedded::{document::to_document, schema::Fields},
    error::IndexError,
    log_position::LogPosition,
    search::{IndexRebuild, IndexWriter},
};
use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering},
};
use tantivy::{IndexWriter as TantivyWriter, Term};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The memory of a writer for uncommitted documents, in bytes.
const WRITER_HEAP_BYTES: usize = 50_000_000;
/// The memory per thread of a rebuild for uncommitted documents, in bytes. More memory leads to
/// fewer segments.
const REBUILD_HEAP_BYTES: usize = 150_000_000;
/// The maximum number of threads of a rebuild. Tantivy does not benefit from more.
const MAX_THREADS: usize = 8;

impl IndexStore {
    /// Opens the writer. Only one exists at a time, across all processes.
    ///
    /// # Errors
    /// [`IndexError::Busy`] if there is another writer.
    pub fn writer(&self) -> Result<StoreWriter, IndexError> {
        StoreWriter::new(self.clone())
    }

    /// Starts a new index beside the current one.
    ///
    /// # Errors
    /// [`IndexError::Busy`] if this store or one of its clones already runs a rebuild.
    pub fn rebuild(&self) -> Result<StoreRebuild, IndexError> {
        self.rebuild_with(1)
    }

    /// Like [`IndexStore::rebuild`], with several indexing threads of 150 MB each. Their number is
    /// clamped to 1 to 8.
    ///
    /// # Errors
    /// See [`IndexStore::rebuild`].
    pub fn rebuild_with(&self, threads: usize) -> Result<StoreRebuild, IndexError> {
        StoreRebuild::new(self.clone(), threads)
    }
}

/// Changes the current index. Changes become visible with [`StoreWriter::commit`]; uncommitted ones
/// are lost when the writer is dropped.
pub struct StoreWriter {
    store: IndexStore,
    generation: Arc<Generation>,
    writer: TantivyWriter,
}

impl StoreWriter {
    fn new(store: IndexStore) -> Result<Self, IndexError> {
        let generation = store.current();
        let writer = generation.index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
        Ok(Self { store, generation, writer })
    }

    /// Adds or replaces a tender. A tender that is not public is removed instead.
    ///
    /// # Errors
    /// After an error, drop the writer and open another.
    pub fn put(&mut self, tender: &Tender) -> Result<(), IndexError> {
        self.put_owned(tender, None)
    }

    /// Like [`StoreWriter::put`], with the account that owns the tender. A tender is never locked
    /// for its owner.
    ///
    /// # Errors
    /// After an error, drop the writer and open another.
    pub fn put_owned(&mut self, tender: &Tender, owner: Option<Uuid>) -> Result<(), IndexError> {
        put(&self.writer, &self.generation.fields, tender, owner, true)
    }

    /// Removes a tender if it is stored.
    ///
    /// # Errors
    /// After an error, drop the writer and open another.
    pub fn remove(&mut self, id: Uuid) -> Result<(), IndexError> {
        remove(&self.writer, &self.generation.fields, id);
        Ok(())
    }

    /// Commits all changes as the state at a log position, and shows them to readers.
    ///
    /// # Errors
    /// [`IndexError::Superseded`] if a rebuild replaced this index. Readers of the new index do not
    /// see the changes: open a new writer and continue from [`IndexStore::position`]. After any
    /// error, drop the writer.
    pub fn commit(&mut self, at: LogPosition) -> Result<(), IndexError> {
        commit(&mut self.writer, Some(at))?;
        self.generation.advance(at)?;
        if Arc::ptr_eq(&self.generation, &self.store.current()) {
            Ok(())
        } else {
            Err(IndexError::Superseded)
        }
    }

    /// Discards all changes since the last commit.
    ///
    /// # Errors
    /// After an error, drop the writer and open another.
    pub fn rollback(&mut self) -> Result<(), IndexError> {
        self.writer.rollback()?;
        Ok(())
    }
}

/// A new index under construction. If it is dropped before [`StoreRebuild::publish`], it is
/// deleted.
pub struct StoreRebuild {
    // Declared before the guard, so that the files of the new index are closed before another
    // rebuild can start.
    target: Option<(TantivyWriter, Generation)>,
    /// The ids of the tenders already added. Only these tenders must be deleted before they are
    /// added again.
    added: HashSet<Uuid>,
    guard: RebuildGuard,
}

/// Ensures that a store and its clones run one rebuild at a time.
struct RebuildGuard(IndexStore);

impl Drop for RebuildGuard {
    fn drop(&mut self) {
        self.0.shared.rebuilding.store(false, Ordering::Release);
    }
}

impl StoreRebuild {
    fn new(store: IndexStore, threads: usize) -> Result<Self, IndexError> {
        if store.shared.rebuilding.swap(true, Ordering::AcqRel) {
            return Err(IndexError::Busy);
        }
        let guard = RebuildGuard(store);
        let generation = Generation::create(&guard.0.shared.directory)?;
        // If the generation is dropped before it is published, its directory is deleted.
        generation.supersede();
        let threads = threads.clamp(1, MAX_THREADS);
        let writer = generation.index.writer_with_num_threads(threads, threads * REBUILD_HEAP_BYTES)?;
        Ok(Self { target: Some((writer, generation)), added: HashSet::new(), guard })
    }

    /// Adds or replaces a tender. A tender that is not public is removed instead.
    ///
    /// # Errors
    /// After an error, drop the rebuild.
    pub fn put(&mut self, tender: &Tender) -> Result<(), IndexError> {
        self.put_owned(tender, None)
    }

    /// Like [`StoreRebuild::put`], with the account that owns the tender. A tender is never locked
    /// for its owner.
    ///
    /// # Errors
    /// After an error, drop the rebuild.
    pub fn put_owned(&mut self, tender: &Tender, owner: Option<Uuid>) -> Result<(), IndexError> {
        let (writer, generation) = self.target.as_ref().ok_or(IndexError::Superseded)?;
        let again = !self.added.insert(tender.id);
        put(writer, &generation.fields, tender, owner, again)
    }

    /// Removes a tender if it is stored.
    ///
    /// # Errors
    /// After an error, drop the rebuild.
    pub fn remove(&mut self, id: Uuid) -> Result<(), IndexError> {
        let (writer, generation) = self.target.as_ref().ok_or(IndexError::Superseded)?;
        remove(writer, &generation.fields, id);
        Ok(())
    }

    /// Commits the new index as the state at a log position, and replaces the current index for all
    /// readers.
    ///
    /// # Errors
    /// After an error, the current index stays in place.
    pub fn publish(mut self, at: LogPosition) -> Result<(), IndexError> {
        let (mut writer, generation) = self.target.take().ok_or(IndexError::Superseded)?;
        commit(&mut writer, Some(at))?;
        writer.wait_merging_threads()?;
        generation.advance(at)?;
        let store = &self.guard.0;
        current_file::replace(&store.shared.directory, &generation.name)?;
        generation.restore();
        store.swap(generation);
        Ok(())
    }
}

impl IndexWriter for StoreWriter {
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, _: i64) -> Result<(), IndexError> {
        self.put_owned(tender, owner)
    }

    fn remove(&mut self, id: Uuid, _: i64) -> Result<(), IndexError> {
        Self::remove(self, id)
    }

    fn commit(&mut self, at: LogPosition) -> Result<(), IndexError> {
        Self::commit(self, at)
    }
}

impl IndexRebuild for StoreRebuild {
    fn put(&mut self, tender: &Tender, owner: Option<Uuid>, _: i64) -> Result<(), IndexError> {
        self.put_owned(tender, owner)
    }

    fn remove(&mut self, id: Uuid, _: i64) -> Result<(), IndexError> {
        Self::remove(self, id)
    }

    fn publish(self: Box<Self>, at: LogPosition) -> Result<(), IndexError> {
        Self::publish(*self, at)
    }
}

fn put(
    writer: &TantivyWriter,
    fields: &Fields,
    tender: &Tender,
    owner: Option<Uuid>,
    again: bool,
) -> Result<(), IndexError> {
    if again {
        remove(writer, fields, tender.id);
    }
    if tender.status.is_public() {
        writer.add_document(to_document(tender, owner, fields)?)?;
    }
    Ok(())
}

fn remove(writer: &TantivyWriter, fields: &Fields, id: Uuid) {
    writer.delete_term(Term::from_field_text(fields.id, &id.to_string()));
}
