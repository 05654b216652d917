//! [`IndexStore`]: an index directory with its readers. Searches are implemented in `search`.

use super::{current_file, generation::Generation};
use crate::{
    embedded::{
        alert_matches, listing, lookup, search_context::SearchContext, suggest::SnapshotSuggestions,
        unfiltered,
    },
    error::IndexError,
    log_position::LogPosition,
    search::{
        self, AlertMatches, Duplicate, IndexRebuild, IndexWriter, Listing, ListingRequest, NodeCounts,
        SearchEngine, SimilarHit, Stats, Suggestion,
    },
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

    /// See [`SearchEngine::listing`].
    ///
    /// # Errors
    /// [`IndexError::Cursor`] if `as_of` or `after` is invalid or belongs to another listing.
    pub fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        let generation = self.current();
        listing::listing(&generation.snapshot(), &generation.fields, request, now)
    }

    /// See [`SearchEngine::matching`].
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
        alert_matches::matching(&generation.snapshot(), &generation.fields, alert, (now, rates), limit)
    }

    /// See [`SearchEngine::similar`].
    pub fn similar(&self, tender: &Tender, now: Moment, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        self.with_candidates(|index| search::similar(index, tender, now, limit))
    }

    /// See [`SearchEngine::duplicates`].
    pub fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        self.with_candidates(|index| search::duplicates(index, tender, limit))
    }

    /// See [`SearchEngine::suggest`].
    pub fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        let generation = self.current();
        let source = SnapshotSuggestions { snapshot: &generation.snapshot(), fields: &generation.fields };
        search::suggest(&source, text)
    }

    /// See [`SearchEngine::stats`].
    pub fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        Ok(unfiltered::stats(&self.current().snapshot(), now))
    }

    /// One tender, as stored in the index.
    pub fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        let generation = self.current();
        lookup::get(&generation.snapshot().searcher, &generation.fields, id)
    }

    /// Calls `visit` with each tender of the index, in no particular order.
    pub fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        let generation = self.current();
        lookup::scan(&generation.snapshot().searcher, &generation.fields, visit)
    }

    /// Runs a search that reads only texts that everyone may read.
    fn with_candidates<T>(&self, search: impl FnOnce(&SearchContext<'_>) -> T) -> T {
        let generation = self.current();
        let snapshot = generation.snapshot();
        // Neither the time nor the rates matter to such a search.
        let now = Moment::new(jiff::Timestamp::UNIX_EPOCH);
        let (searcher, fields, rates) = (&snapshot.searcher, &generation.fields, &Rates::default());
        search(&SearchContext { searcher, fields, now, rates, readable: None })
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

impl SearchEngine for IndexStore {
    fn shared_name(&self) -> Option<&str> {
        None
    }

    fn nodes(&self) -> Option<NodeCounts> {
        None
    }

    fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        Self::listing(self, request, now)
    }

    fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        Self::matching(self, alert, now, rates, limit)
    }

    fn similar(&self, tender: &Tender, now: Moment, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        Self::similar(self, tender, now, limit)
    }

    fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        Self::duplicates(self, tender, limit)
    }

    fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        Self::suggest(self, text)
    }

    fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        Self::stats(self, now)
    }

    fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        Self::get(self, id)
    }

    fn scan(&self, visit: &mut dyn FnMut(Tender)) -> Result<(), IndexError> {
        Self::scan(self, visit)
    }

    fn position(&self) -> Option<LogPosition> {
        Self::position(self)
    }

    fn check(&self) -> Result<(), IndexError> {
        Self::check(self)
    }

    fn refresh(&self) -> Result<bool, IndexError> {
        Self::refresh(self)
    }

    fn writer(&self) -> Result<Box<dyn IndexWriter>, IndexError> {
        Ok(Box::new(Self::writer(self)?))
    }

    fn rebuild(&self) -> Result<Box<dyn IndexRebuild>, IndexError> {
        Ok(Box::new(Self::rebuild(self)?))
    }
}
