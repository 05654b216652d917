//! [`Generation`]: a Tantivy index in its own directory, with its reader. While the index is in
//! use, a lock protects the directory from deletion.

use super::{
    current_file,
    generation_dir::{lock_against_deletion, parse_number, remove_unless_locked},
    integrity::{Trust, find_damage},
    locking_directory::LockingDirectory,
};
use crate::{
    analysis::{ANALYSIS_VERSION, tokenizers},
    embedded::{
        schema::{Fields, SCHEMA_VERSION, schema},
        snapshot::Snapshot,
    },
    error::IndexError,
    log_position::LogPosition,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyError, directory::error::OpenReadError};

/// How many times opening is tried if another process replaces the generation each time.
const MAX_OPEN_ATTEMPTS: usize = 5;

/// An open generation.
pub(super) struct Generation {
    pub(super) name: String,
    pub(super) fields: Fields,
    pub(super) index: Index,
    reader: IndexReader,
    /// The current snapshot and its position in the change log.
    visible: RwLock<(Arc<Snapshot>, Option<LogPosition>)>,
    path: PathBuf,
    /// The locked file that protects the directory.
    held: File,
    superseded: AtomicBool,
}

/// The data that is stored with each commit.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    schema: u32,
    analysis: u32,
    #[serde(flatten)]
    at: Option<LogPosition>,
}

impl Generation {
    /// Creates an empty index under the next free name. `CURRENT` does not name it yet.
    pub(super) fn create(directory: &Path) -> Result<Self, IndexError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |source| IndexError::Io { path, source }
        };
        fs::create_dir_all(directory).map_err(io(directory))?;
        let entries = fs::read_dir(directory).map_err(io(directory))?;
        let last =
            entries.flatten().filter_map(|entry| parse_number(&entry.file_name().to_string_lossy())).max();
        let name = format!("g{:08}", last.map_or(1, |last| last + 1));
        let path = directory.join(&name);
        fs::create_dir(&path).map_err(io(&path))?;
        let held = lock_against_deletion(&path)?;
        let (schema, fields) = schema();
        let mut index = Index::create(
            LockingDirectory::open(&path).map_err(TantivyError::from)?,
            schema,
            tantivy::IndexSettings::default(),
        )?;
        index.set_tokenizers(tokenizers());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000)?;
        commit(&mut writer, None)?;
        drop(writer);
        Self::from_parts(name, path, held, index, fields, None)
    }

    /// Opens the generation that `CURRENT` names.
    pub(super) fn open_current(directory: &Path) -> Result<Self, IndexError> {
        let mut name = current_file::read(directory)?;
        for _ in 0..MAX_OPEN_ATTEMPTS {
            let opened = Self::open(directory, &name);
            let named = current_file::read(directory)?;
            if named == name {
                return opened;
            }
            name = named;
        }
        Err(IndexError::Busy)
    }

    fn open(directory: &Path, name: &str) -> Result<Self, IndexError> {
        let path = directory.join(name);
        let torn = |error: TantivyError| classify_error(&path, error);
        let held = lock_against_deletion(&path)?;
        let files = LockingDirectory::open(&path).map_err(TantivyError::from).map_err(torn)?;
        let mut index = Index::open(files).map_err(torn)?;
        let metas = index.load_metas().map_err(torn)?;
        let payload: Payload =
            metas.payload.as_deref().and_then(|payload| serde_json::from_str(payload).ok()).ok_or_else(
                || IndexError::Damaged { path: path.clone(), what: "its last commit has no position".into() },
            )?;
        let (schema, fields) = schema();
        if (payload.schema, payload.analysis) != (SCHEMA_VERSION, ANALYSIS_VERSION)
            || index.schema() != schema
        {
            let found = format!("schema {}, analysis {}", payload.schema, payload.analysis);
            return Err(IndexError::OtherVersion { path, found });
        }
        if let Some(what) = find_damage(&path, &index, &metas, Trust::Notes).map_err(torn)? {
            return Err(IndexError::Damaged { path, what });
        }
        index.set_tokenizers(tokenizers());
        Self::from_parts(name.to_owned(), path.clone(), held, index, fields, payload.at).map_err(|error| {
            match error {
                IndexError::Tantivy(error) => classify_error(&path, error),
                other => other,
            }
        })
    }

    fn from_parts(
        name: String,
        path: PathBuf,
        held: File,
        index: Index,
        fields: Fields,
        position: Option<LogPosition>,
    ) -> Result<Self, IndexError> {
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let visible = RwLock::new((Arc::new(Snapshot::new(reader.searcher(), None)?), position));
        Ok(Self { name, fields, index, reader, visible, path, held, superseded: AtomicBool::new(false) })
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.visible.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    pub(super) fn position(&self) -> Option<LogPosition> {
        self.visible.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Shows the last commit to readers. Searches use the previous snapshot until the new one is
    /// complete.
    pub(super) fn advance(&self, position: LogPosition) -> Result<(), IndexError> {
        self.reader.reload()?;
        let snapshot = Arc::new(Snapshot::new(self.reader.searcher(), Some(&self.snapshot()))?);
        *self.visible.write().unwrap_or_else(PoisonError::into_inner) = (snapshot, Some(position));
        Ok(())
    }

    /// Verifies every byte of the last commit.
    pub(super) fn check(&self) -> Result<(), IndexError> {
        let torn = |error: TantivyError| classify_error(&self.path, error);
        let metas = self.index.load_metas().map_err(torn)?;
        match find_damage(&self.path, &self.index, &metas, Trust::Nothing).map_err(torn)? {
            Some(what) => Err(IndexError::Damaged { path: self.path.clone(), what }),
            None => Ok(()),
        }
    }

    /// Marks the generation as replaced. Its directory is deleted when no process uses it any more.
    pub(super) fn supersede(&self) {
        self.superseded.store(true, Ordering::Release);
    }

    /// Reverts [`Generation::supersede`].
    pub(super) fn restore(&self) {
        self.superseded.store(false, Ordering::Release);
    }

    fn is_superseded(&self) -> bool {
        self.superseded.load(Ordering::Acquire)
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        // Unlocked explicitly, because a process that is being started may hold a copy of the open
        // file.
        if self.held.unlock().is_ok() && self.is_superseded() {
            remove_unless_locked(&self.path);
        }
    }
}

/// Commits with the position in the change log. Other code must not call Tantivy's `commit`,
/// because a commit without this payload would erase the position.
#[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
pub(super) fn commit(writer: &mut IndexWriter, at: Option<LogPosition>) -> Result<(), IndexError> {
    let payload = Payload { schema: SCHEMA_VERSION, analysis: ANALYSIS_VERSION, at };
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&serde_json::to_string(&payload)?);
    prepared.commit()?;
    Ok(())
}

/// Distinguishes damage and incompatible versions from other failures.
fn classify_error(path: &Path, error: TantivyError) -> IndexError {
    let path = path.to_path_buf();
    match error {
        TantivyError::IncompatibleIndex(found)
        | TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(found)) => {
            IndexError::OtherVersion { path, found: format!("{found:?}") }
        }
        TantivyError::IoError(source) if source.kind() == ErrorKind::PermissionDenied => {
            IndexError::Io { path, source: ErrorKind::PermissionDenied.into() }
        }
        TantivyError::LockFailure(..) => IndexError::Busy,
        other => IndexError::Damaged { path, what: other.to_string() },
    }
}
