//! [`IndexStore`]: the crate's front door, an index directory with its readers, its one writer, and its rebuilding beside the
//! one in use. What is asked of it is answered in `search`; the change log it follows is the business of whoever writes.

mod current_file;
mod generation;
mod integrity;
mod locking_directory;
mod writer;

use crate::error::IndexError;
pub use writer::{StoreRebuild, StoreWriter};

use crate::search::{self, AlertMatches, Duplicate, Listing, ListingRequest, SimilarHit, Stats, Suggestion};
use generation::Generation;
use serde::{Deserialize, Serialize};
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

/// A place in the change log: the position, and the change that stood there, by which a log that was restored is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPosition {
    /// The change's number in the total order; 0 before the first.
    pub position: i64,
    /// The change itself.
    pub change_id: Uuid,
}

/// An index directory: `DIR/<generation>/` for each index, and `DIR/CURRENT`, which names the one in use and is only ever replaced
/// whole. Clones share one set of readers; a rebuilt index takes the old one's place under them, and the old one's
/// directory goes with its last reader, in whichever process that is.
///
/// ```
/// use index::{IndexStore, ListingRequest, LogPosition, tender::Tender, vocabulary::TenderStatus};
/// use uuid::Uuid;
///
/// # let scratch = tempfile::tempdir()?;
/// # let directory = scratch.path();
/// let catalogue = IndexStore::open_or_begin(directory)?;
/// let mut writer = catalogue.writer()?;
/// writer.put(&Tender {
///     id: Uuid::from_u128(1),
///     title: "Repair of five bridges".into(),
///     status: TenderStatus::Published,
///     ..Tender::default()
/// })?;
/// writer.commit(LogPosition { position: 1, change_id: Uuid::from_u128(2) })?;
///
/// let request = ListingRequest { text: Some("bridge".into()), limit: 10, ..ListingRequest::default() };
/// let listing = catalogue.listing(&request, "2026-11-20T09:00:00+05:30".parse()?)?;
/// assert_eq!(listing.tenders[0].title(), "Repair of five bridges");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct IndexStore {
    shared: Arc<SharedStore>,
}

/// What all clones share.
struct SharedStore {
    directory: PathBuf,
    current: RwLock<Arc<Generation>>,
    rebuilding: AtomicBool,
}

impl IndexStore {
    /// Opens the index in a directory, reads through every file of it that was not found whole before, and sweeps away what an interrupted
    /// rebuild left.
    ///
    /// # Errors
    /// [`IndexError::Missing`], [`IndexError::Torn`] and [`IndexError::OtherVersion`], which
    /// [`IndexStore::open_or_begin`] begins anew from; [`IndexError::Foreign`] and [`IndexError::Io`], which need a person.
    pub fn open(directory: &Path) -> Result<Self, IndexError> {
        let generation = Generation::open_current(directory)?;
        current_file::sweep(directory, &generation.name);
        Ok(Self::with(directory, generation))
    }

    /// Opens the index in a directory; where there is none that can be used, begins an empty one, which has no
    /// [`IndexStore::position`].
    ///
    /// # Errors
    /// [`IndexError::Foreign`] where something else lives in the directory, [`IndexError::Io`] where it can't be written.
    pub fn open_or_begin(directory: &Path) -> Result<Self, IndexError> {
        match Self::open(directory) {
            Err(error) if error.is_mended_by_rebuilding() => {
                tracing::warn!(%error, "beginning an empty index");
                let generation = Generation::create(directory)?;
                current_file::replace(directory, &generation.name)?;
                current_file::sweep(directory, &generation.name);
                Ok(Self::with(directory, generation))
            }
            other => other,
        }
    }

    fn with(directory: &Path, generation: Generation) -> Self {
        let shared = SharedStore {
            directory: directory.to_path_buf(),
            current: RwLock::new(Arc::new(generation)),
            rebuilding: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// How far along the change log the index is, as its readers see it. `None` for one that was begun empty.
    #[must_use]
    pub fn position(&self) -> Option<LogPosition> {
        self.current().position()
    }

    /// Reads every byte of the index, against damage that leaves a file's length and time as they were. Takes a second a gigabyte or so.
    ///
    /// # Errors
    /// [`IndexError::Torn`] where a file is not what was written.
    pub fn check(&self) -> Result<(), IndexError> {
        self.current().check()
    }

    /// Moves to the index that another process has put in place meanwhile; says whether there was one.
    ///
    /// # Errors
    /// As [`IndexStore::open`]; the readers then stay where they are.
    pub fn refresh(&self) -> Result<bool, IndexError> {
        if current_file::read(&self.shared.directory)? == self.current().name {
            return Ok(false);
        }
        self.swap(Generation::open_current(&self.shared.directory)?);
        Ok(true)
    }

    /// The writer. There is one at a time, in all processes together.
    ///
    /// # Errors
    /// [`IndexError::Busy`] while there is another.
    pub fn writer(&self) -> Result<StoreWriter, IndexError> {
        StoreWriter::new(self.clone())
    }

    /// Begins a new index beside the current one. There is one rebuild at a time.
    ///
    /// # Errors
    /// [`IndexError::Busy`] while there is another in this process.
    pub fn rebuild(&self) -> Result<StoreRebuild, IndexError> {
        self.rebuild_with(1)
    }

    /// The same with so many threads that index what is put (1 to 8; what lies outside is brought in), each with 150 MB of memory.
    ///
    /// # Errors
    /// As [`IndexStore::rebuild`].
    pub fn rebuild_with(&self, threads: usize) -> Result<StoreRebuild, IndexError> {
        StoreRebuild::new(self.clone(), threads)
    }

    /// One page of tenders.
    ///
    /// # Errors
    /// [`IndexError::Cursor`] when the request goes on from another listing; or when the index can't be read.
    pub fn listing(&self, request: &ListingRequest, now: Moment) -> Result<Listing, IndexError> {
        let generation = self.current();
        search::listing(&generation.view(), &generation.fields, request, now)
    }

    /// The newest `limit` tenders that an alert matches at a moment, whatever is written of the alert elsewhere.
    ///
    /// # Errors
    /// [`IndexError::Alert`] when the alert can't be matched; or when the index can't be read.
    pub fn matching(
        &self,
        alert: &AlertQuery,
        now: Moment,
        rates: &Rates,
        limit: usize,
    ) -> Result<AlertMatches, IndexError> {
        let generation = self.current();
        search::matching(&generation.view(), &generation.fields, alert, (now, rates), limit)
    }

    /// The `limit` tenders most like one, in the index or not, which itself is not among them. They share its rarest words, and may
    /// be told to anyone: only titles and organisations are looked at.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn similar(&self, tender: &Tender, limit: usize) -> Result<Vec<SimilarHit>, IndexError> {
        let generation = self.current();
        search::similar(&generation.view().searcher, &generation.fields, tender, limit)
    }

    /// The `limit` tenders that are likeliest the same as a new one, with the grounds; mistakes of recognition and another language
    /// don't hide them. From [`crate::LIKELY_DUPLICATE`] on, they are more often the same than not.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn duplicates(&self, tender: &Tender, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        let generation = self.current();
        search::duplicates(&generation.view().searcher, &generation.fields, tender, limit)
    }

    /// What someone may be typing: at most two categories, two places, three organisations and five titles. The work is bounded
    /// whatever is typed, and nothing is suggested that may not be read of a locked tender.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn suggest(&self, text: &str) -> Result<Vec<Suggestion>, IndexError> {
        let generation = self.current();
        search::suggest(&generation.view(), &generation.fields, text)
    }

    /// The counters of the home page and the listing.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn stats(&self, now: Moment) -> Result<Stats, IndexError> {
        Ok(search::stats(&self.current().view(), now))
    }

    /// One tender, as the index holds it.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn get(&self, id: Uuid) -> Result<Option<Tender>, IndexError> {
        let generation = self.current();
        search::get(&generation.view().searcher, &generation.fields, id)
    }

    fn current(&self) -> Arc<Generation> {
        Arc::clone(&self.shared.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts a generation under the readers. `CURRENT` must name it already.
    fn swap(&self, generation: Generation) {
        let mut current = self.shared.current.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *current, Arc::new(generation));
        drop(current);
        old.supersede();
    }
}
