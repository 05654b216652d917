//! Writing: [`StoreWriter`] changes the index in use, [`StoreRebuild`] fills a new one beside it and puts it in its place. Neither ever holds a draft or
//! a withdrawn tender.

use super::{
    IndexStore, LogPosition, current_file,
    generation::{Generation, commit},
};
use crate::error::IndexError;
use crate::{document::to_document, schema::Fields};
use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering},
};
use tantivy::{IndexWriter, Term};
use tender_model::tender::Tender;
use uuid::Uuid;

/// Memory for documents not yet committed, in bytes.
const HEAP: usize = 50_000_000;
/// The same for each thread of a rebuild: larger, so that it makes fewer segments.
const REBUILD_HEAP: usize = 150_000_000;
/// More threads than this are of no use to Tantivy.
const MOST_THREADS: usize = 8;

/// Changes the index in use. Nothing is seen before [`StoreWriter::commit`]; what was not committed is forgotten with the writer.
pub struct StoreWriter {
    catalogue: IndexStore,
    generation: Arc<Generation>,
    writer: IndexWriter,
}

impl StoreWriter {
    pub(super) fn new(catalogue: IndexStore) -> Result<Self, IndexError> {
        let generation = catalogue.current();
        let writer = generation.index.writer_with_num_threads(1, HEAP)?;
        Ok(Self { catalogue, generation, writer })
    }

    /// Puts a tender, in the place of its former self. One that is not public is removed.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn put(&mut self, tender: &Tender) -> Result<(), IndexError> {
        self.put_owned(tender, None)
    }

    /// The same for a tender that an account may own: to its owner a tender is never locked.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn put_owned(&mut self, tender: &Tender, owner: Option<Uuid>) -> Result<(), IndexError> {
        put(&self.writer, &self.generation.fields, tender, owner, true)
    }

    /// Removes a tender, if it is there.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn remove(&mut self, id: Uuid) -> Result<(), IndexError> {
        remove(&self.writer, &self.generation.fields, id);
        Ok(())
    }

    /// Commits what was put and removed as the state at a place in the log, and lets the readers see it.
    ///
    /// # Errors
    /// [`IndexError::Superseded`] when a rebuilt index has taken this one's place: then nothing was seen of it, and a
    /// new writer goes on from the new index's position. On any error, drop the writer and open another.
    pub fn commit(&mut self, at: LogPosition) -> Result<(), IndexError> {
        commit(&mut self.writer, Some(at))?;
        self.generation.advance(at)?;
        if Arc::ptr_eq(&self.generation, &self.catalogue.current()) {
            Ok(())
        } else {
            Err(IndexError::Superseded)
        }
    }

    /// Forgets what was put and removed since the last commit.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn rollback(&mut self) -> Result<(), IndexError> {
        self.writer.rollback()?;
        Ok(())
    }
}

/// A new index in the making. Dropped before [`StoreRebuild::publish`], it leaves nothing behind.
pub struct StoreRebuild {
    // Before the guard: the next rebuild begins when this one's files are closed.
    filling: Option<(IndexWriter, Generation)>,
    /// What was put: only what comes again needs to be removed first.
    put: HashSet<Uuid>,
    guard: RebuildGuard,
}

/// Holds the catalogue's one place for a rebuild.
struct RebuildGuard(IndexStore);

impl Drop for RebuildGuard {
    fn drop(&mut self) {
        self.0.shared.rebuilding.store(false, Ordering::Release);
    }
}

impl StoreRebuild {
    pub(super) fn new(catalogue: IndexStore, threads: usize) -> Result<Self, IndexError> {
        if catalogue.shared.rebuilding.swap(true, Ordering::AcqRel) {
            return Err(IndexError::Busy);
        }
        let guard = RebuildGuard(catalogue);
        let generation = Generation::create(&guard.0.shared.directory)?;
        // Until it is published, it goes with whoever is filling it.
        generation.supersede();
        let threads = threads.clamp(1, MOST_THREADS);
        let writer = generation.index.writer_with_num_threads(threads, threads * REBUILD_HEAP)?;
        Ok(Self { filling: Some((writer, generation)), put: HashSet::new(), guard })
    }

    /// Puts a tender, in the place of its former self. One that is not public is removed.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn put(&mut self, tender: &Tender) -> Result<(), IndexError> {
        self.put_owned(tender, None)
    }

    /// The same for a tender that an account may own: to its owner a tender is never locked.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn put_owned(&mut self, tender: &Tender, owner: Option<Uuid>) -> Result<(), IndexError> {
        let (writer, generation) = self.filling.as_ref().ok_or(IndexError::Superseded)?;
        let again = !self.put.insert(tender.id);
        put(writer, &generation.fields, tender, owner, again)
    }

    /// Removes a tender, if it is there.
    ///
    /// # Errors
    /// When the index can't be written.
    pub fn remove(&mut self, id: Uuid) -> Result<(), IndexError> {
        let (writer, generation) = self.filling.as_ref().ok_or(IndexError::Superseded)?;
        remove(writer, &generation.fields, id);
        Ok(())
    }

    /// Commits the new index as the state at a place in the log, and puts it in the place of the current one, under all readers.
    ///
    /// # Errors
    /// When the index can't be written; the current one then stays.
    pub fn publish(mut self, at: LogPosition) -> Result<(), IndexError> {
        let (mut writer, generation) = self.filling.take().ok_or(IndexError::Superseded)?;
        commit(&mut writer, Some(at))?;
        writer.wait_merging_threads()?;
        generation.advance(at)?;
        let catalogue = &self.guard.0;
        current_file::replace(&catalogue.shared.directory, &generation.name)?;
        generation.keep();
        catalogue.swap(generation);
        Ok(())
    }
}

fn put(
    writer: &IndexWriter,
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

fn remove(writer: &IndexWriter, fields: &Fields, id: Uuid) {
    writer.delete_term(Term::from_field_text(fields.id, &id.to_string()));
}
