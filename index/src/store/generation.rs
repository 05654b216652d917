//! One generation: a Tantivy index in a directory of its own, with its reader, held against removal for as long as somebody reads it.

use super::{
    LogPosition, current_file,
    integrity::{Trust, find_damage},
    locking_directory::LockingDirectory,
};
use crate::error::IndexError;
use crate::{
    schema::{ANALYSIS_VERSION, Fields, SCHEMA_VERSION, schema, tokenizers},
    search::Snapshot,
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

/// Locked shared by whoever uses the generation, and exclusively by whoever removes it.
const HELD: &str = ".held";
/// How often a generation may be replaced while it is being opened.
const ATTEMPTS: usize = 5;

/// An open index.
pub(super) struct Generation {
    pub(super) name: String,
    pub(super) fields: Fields,
    pub(super) index: Index,
    reader: IndexReader,
    /// What is searched, and how far along the log it is.
    seen: RwLock<(Arc<Snapshot>, Option<LogPosition>)>,
    path: PathBuf,
    held: File,
    superseded: AtomicBool,
}

/// What is written with each commit.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    schema: u32,
    analysis: u32,
    #[serde(flatten)]
    at: Option<LogPosition>,
}

impl Generation {
    /// A new, empty index under the next free name. Nothing names it yet.
    pub(super) fn create(directory: &Path) -> Result<Self, IndexError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |source| IndexError::Io { path, source }
        };
        fs::create_dir_all(directory).map_err(io(directory))?;
        let entries = fs::read_dir(directory).map_err(io(directory))?;
        let last = entries.flatten().filter_map(|entry| number(&entry.file_name().to_string_lossy())).max();
        let name = format!("g{:08}", last.map_or(1, |last| last + 1));
        let path = directory.join(&name);
        fs::create_dir(&path).map_err(io(&path))?;
        let held = hold(&path)?;
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
        Self::with(name, path, held, index, fields, None)
    }

    /// The generation that `CURRENT` names.
    pub(super) fn open_current(directory: &Path) -> Result<Self, IndexError> {
        let mut name = current_file::read(directory)?;
        for _ in 0..ATTEMPTS {
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
        let torn = |error: TantivyError| classify(&path, error);
        let held = hold(&path)?;
        let files = LockingDirectory::open(&path).map_err(TantivyError::from).map_err(torn)?;
        let mut index = Index::open(files).map_err(torn)?;
        let metas = index.load_metas().map_err(torn)?;
        let payload: Payload =
            metas.payload.as_deref().and_then(|payload| serde_json::from_str(payload).ok()).ok_or_else(
                || IndexError::Torn { path: path.clone(), what: "its last commit has no position".into() },
            )?;
        let (schema, fields) = schema();
        if (payload.schema, payload.analysis) != (SCHEMA_VERSION, ANALYSIS_VERSION)
            || index.schema() != schema
        {
            let found = format!("schema {}, analysis {}", payload.schema, payload.analysis);
            return Err(IndexError::OtherVersion { path, found });
        }
        if let Some(what) = find_damage(&path, &index, &metas, Trust::Notes).map_err(torn)? {
            return Err(IndexError::Torn { path, what });
        }
        index.set_tokenizers(tokenizers());
        Self::with(name.to_owned(), path.clone(), held, index, fields, payload.at).map_err(
            |error| match error {
                IndexError::Tantivy(error) => classify(&path, error),
                other => other,
            },
        )
    }

    fn with(
        name: String,
        path: PathBuf,
        held: File,
        index: Index,
        fields: Fields,
        position: Option<LogPosition>,
    ) -> Result<Self, IndexError> {
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let seen = RwLock::new((Arc::new(Snapshot::new(reader.searcher(), None)?), position));
        Ok(Self { name, fields, index, reader, seen, path, held, superseded: AtomicBool::new(false) })
    }

    pub(super) fn view(&self) -> Arc<Snapshot> {
        Arc::clone(&self.seen.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    pub(super) fn position(&self) -> Option<LogPosition> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Lets the readers see what was committed. They go on with what they had until all of it is ready.
    pub(super) fn advance(&self, position: LogPosition) -> Result<(), IndexError> {
        self.reader.reload()?;
        let view = Arc::new(Snapshot::new(self.reader.searcher(), Some(&self.view()))?);
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = (view, Some(position));
        Ok(())
    }

    /// Reads every byte of what was committed.
    pub(super) fn check(&self) -> Result<(), IndexError> {
        let torn = |error: TantivyError| classify(&self.path, error);
        let metas = self.index.load_metas().map_err(torn)?;
        match find_damage(&self.path, &self.index, &metas, Trust::Nothing).map_err(torn)? {
            Some(what) => Err(IndexError::Torn { path: self.path.clone(), what }),
            None => Ok(()),
        }
    }

    /// Notes that another took its place: its directory goes with the last who holds it.
    pub(super) fn supersede(&self) {
        self.superseded.store(true, Ordering::Release);
    }

    /// Takes back [`Generation::supersede`].
    pub(super) fn keep(&self) {
        self.superseded.store(false, Ordering::Release);
    }

    fn is_superseded(&self) -> bool {
        self.superseded.load(Ordering::Acquire)
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        // Unlocked also where it stays: a program that is being started may hold a copy of the open file.
        if self.held.unlock().is_ok() && self.is_superseded() {
            remove_unless_held(&self.path);
        }
    }
}

/// Commits with the position in the log. The only caller of Tantivy's commit: one without a payload would erase it.
#[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
pub(super) fn commit(writer: &mut IndexWriter, at: Option<LogPosition>) -> Result<(), IndexError> {
    let payload = Payload { schema: SCHEMA_VERSION, analysis: ANALYSIS_VERSION, at };
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&serde_json::to_string(&payload)?);
    prepared.commit()?;
    Ok(())
}

/// The number in a generation's name; `None` when it is no such name.
pub(super) fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('g').filter(|digits| digits.len() == 8)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Holds a generation against removal.
fn hold(path: &Path) -> Result<File, IndexError> {
    let file = path.join(HELD);
    let held = File::options().create(true).truncate(false).write(true).open(&file);
    match held.and_then(|held| held.lock_shared().map(|()| held)) {
        Ok(held) => Ok(held),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(IndexError::Torn { path: path.to_path_buf(), what: "its directory is gone".to_owned() })
        }
        Err(source) => Err(IndexError::Io { path: file, source }),
    }
}

/// Removes a generation's directory, unless somebody holds it.
pub(super) fn remove_unless_held(path: &Path) {
    let free = File::options().create(true).truncate(false).write(true).open(path.join(HELD));
    let Ok(free) = free.and_then(|held| held.try_lock().map(|()| held).map_err(Into::into)) else { return };
    if let Err(error) = fs::remove_dir_all(path) {
        tracing::warn!(path = %path.display(), %error, "an old index can't be removed");
    }
    // Nothing can be done about a lock on a file that is gone.
    let _ = free.unlock();
}

/// Tells damage and other versions from failures of the machine.
fn classify(path: &Path, error: TantivyError) -> IndexError {
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
        other => IndexError::Torn { path, what: other.to_string() },
    }
}
