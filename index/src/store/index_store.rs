//! [`IndexStore`]: an index directory with its readers. Searches are implemented in `search`.

use super::{current_file, generation::Generation, log_position::LogPosition};
use crate::{
    error::IndexError,
    search::{self, AlertMatches, Duplicate, Listing, ListingRequest, SimilarHit, Stats, Suggestion},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock, atomic::AtomicBool},
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// An index directory. Each `DIR/<generation>/` contains an index, and `DIR/CURRENT` names the one
/// in use. `CURRENT` is replaced atomically.
///
/// Clones share their readers. A rebuild replaces the index for all clones. The last process that
/// reads the old generation deletes it.
///
/// ```
/// use index::{IndexStore, ListingRequest, LogPosition};
/// use tender_model::{tender::Tender, vocabulary::TenderStatus};
/// use uuid::Uuid;
///
/// # let scratch = tempfile::tempdir()?;
/// # let directory = scratch.path();
/// let store = IndexStore::open_or_create(directory)?;
/// let mut writer = store.writer()?;
/// writer.put(&Tender {
///     id: Uuid::from_u128(1),
///     title: "Repair of five bridges".into(),
///     status: TenderStatus::Published,
///     ..Tender::default()
/// })?;
/// writer.commit(LogPosition { position: 1, change_id: Uuid::from_u128(2) })?;
///
/// let request = ListingRequest { text: Some("bridge".into()), limit: 10, ..ListingRequest::default() };
/// let listing = store.listing(&request, "2026-11-20T09:00:00+05:30".parse()?)?;
/// assert_eq!(listing.tenders[0].title(), "Repair of five bridges");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct IndexStore {
    pub(super) shared: Arc<SharedStore>,
}

/// The state shared by all clones.
pub(super) struct SharedStore {
    pub(super) directory: PathBuf,
    current: RwLock<Arc<Generation>>,
    pub(super) rebuilding: AtomicBool,
}

impl IndexStore {
    /// Opens the index in a directory, verifies files that were not verified before, and deletes
    /// the remains of interrupted rebuilds.
    ///
    /// # Errors
    /// After [`IndexError::Missing`], [`IndexError::Damaged`] and [`IndexError::OtherVersion`], use
    /// [`IndexStore::open_or_create`]. [`IndexError::Foreign`] and [`IndexError::Io`] need the
    /// operator.
    pub fn open(directory: &Path) -> Result<Self, IndexError> {
        let generation = Generation::open_current(directory)?;
        current_file::remove_unused(directory, &generation.name);
        Ok(Self::from_generation(directory, generation))
    }

    /// Opens the index in a directory. If the index is missing, damaged or incompatible, creates an
    /// empty one, which has no [`IndexStore::position`].
    ///
    /// # Errors
    /// [`IndexError::Foreign`] if the directory contains files of another program, and
    /// [`IndexError::Io`] if it cannot be read or written.
    pub fn open_or_create(directory: &Path) -> Result<Self, IndexError> {
        match Self::open(directory) {
            Err(error) if error.is_fixed_by_rebuild() => {
                match &error {
                    IndexError::Missing(_) => tracing::info!("there is no index yet; creating an empty one"),
                    error => tracing::warn!(%error, "replacing the index by an empty one"),
                }
                let generation = Generation::create(directory)?;
                current_file::replace(directory, &generation.name)?;
                current_file::remove_unused(directory, &generation.name);
                Ok(Self::from_generation(directory, generation))
            }
            other => other,
        }
    }

    fn from_generation(directory: &Path, generation: Generation) -> Self {
        let shared = SharedStore {
            directory: directory.to_path_buf(),
            current: RwLock::new(Arc::new(generation)),
            rebuilding: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The position in the change log that readers see. `None` for a newly created index.
    #[must_use]
    pub fn position(&self) -> Option<LogPosition> {
        self.current().position()
    }

    /// Verifies every byte of the index. This also finds damage that preserves length and
    /// modification time. It takes about one second per gigabyte.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] if a file is damaged.
    pub fn check(&self) -> Result<(), IndexError> {
        self.current().check()
    }

    /// Switches to the new index if another process has replaced the current one. Returns whether
    /// this was the case.
    ///
    /// # Errors
    /// See [`IndexStore::open`]. Readers then keep the previous index.
    pub fn refresh(&self) -> Result<bool, IndexError> {
        if current_file::read(&self.shared.directory)? == self.current().name {
            return Ok(false);
        }
        self.swap(Generation::open_current(&self.shared.directory)?);
        Ok(true)
    }

    /// One page of tenders.
    ///
    /// # Errors
    /// [`IndexError::Cursor`] if `as_of` or `after` is invalid or belongs to another listing.
    pub fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        let generation = self.current();
        search::listing(&generation.snapshot(), &generation.fields, request, now)
    }

    /// The newest `limit` tenders that match an alert at a given time.
    ///
    /// # Errors
    /// [`IndexError::Alert`] if the alert cannot be matched.
    pub fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        let generation = self.current();
        search::matching(&generation.snapshot(), &generation.fields, alert, (now, rates), limit)
    }

    /// The `limit` tenders most similar to the given one, which itself is left out. Of the other
    /// tenders, only titles and organisations are searched, so the result may be shown to everyone.
    pub fn similar(&self, tender: &Tender, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        let generation = self.current();
        search::similar(&generation.snapshot().searcher, &generation.fields, tender, limit)
    }

    /// The `limit` most likely duplicates of a tender, with the evidence. Most are found despite
    /// OCR errors and in other languages. See [`tender_model::likeness::LIKELY_DUPLICATE`].
    pub fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        let generation = self.current();
        search::duplicates(&generation.snapshot().searcher, &generation.fields, tender, limit)
    }

    /// Suggestions for a text being typed: at most two categories, two places, three organisations
    /// and five titles. The work is bounded. Only text that everyone may read is suggested.
    pub fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        let generation = self.current();
        search::suggest(&generation.snapshot(), &generation.fields, text)
    }

    /// The counters of the home page and the listing.
    pub fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        Ok(search::stats(&self.current().snapshot(), now))
    }

    /// One tender, as stored in the index.
    pub fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        let generation = self.current();
        search::get(&generation.snapshot().searcher, &generation.fields, id)
    }

    /// Calls `visit` with each tender of the index, in no particular order.
    pub fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        let generation = self.current();
        search::scan(&generation.snapshot().searcher, &generation.fields, visit)
    }

    pub(super) fn current(&self) -> Arc<Generation> {
        Arc::clone(&self.shared.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the generation for all readers. `CURRENT` must already name the new one.
    pub(super) fn swap(&self, generation: Generation) {
        let mut current = self.shared.current.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *current, Arc::new(generation));
        drop(current);
        old.supersede();
    }
}
