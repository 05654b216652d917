//! Makes a backup while the portal runs.

use super::{
    manifest::{FORMAT, FileEntry, Manifest, Part, TableContent},
    store::{BackupStore, compress},
};
use crate::{
    base::{clock::Clock, config::DataConfig, random::Random},
    clients::file_store::{self, FileName, FileStore},
    storage::{
        changes, portal_state,
        stored_files::{self, FileFolder, ReferredFile},
        table_copy::{self, CopiedTable},
    },
};
use anyhow::{Context, bail};
use futures::{StreamExt, TryStreamExt, stream};
use sqlx::{PgConnection, PgPool};
use std::{
    collections::{HashMap, HashSet},
    fs, io,
};

/// The size of a part of a table, before compression.
const PART_BYTES: usize = 16 << 20;
/// The number of files that one query lists.
const FILES_AT_ONCE: i64 = 1000;
/// The number of files that are copied at the same time.
const CONCURRENT_FILES: usize = 8;

/// What a backup is made of.
#[derive(Debug, Clone, Copy)]
pub struct BackupSource<'a> {
    /// The database.
    pub db: &'a PgPool,
    /// The data folder.
    pub data: &'a DataConfig,
    /// The clips, documents and newspaper pages.
    pub files: &'a FileStore,
    /// The version of the program.
    pub version: &'a str,
    /// The clock.
    pub clock: &'a Clock,
    /// The random generator.
    pub random: &'a Random,
}

/// How a backup finds out whether the place of backups already has a whole copy of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyCheck {
    /// By its size.
    Size,
    /// By its content, which is read.
    Content,
}

/// A finished backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedBackup {
    /// Its manifest.
    pub manifest: Manifest,
    /// The number of files that were copied, because the place had no whole copy of them.
    pub copied_files: u64,
}

/// Makes a backup.
///
/// The files are copied twice: once before the snapshot of the database, and once the files that the
/// snapshot refers to and that were not copied yet. A file whose last row is deleted between the
/// snapshot and the second copy was therefore copied before, or it is younger than the job
/// `delete_orphaned_files` deletes.
///
/// # Errors
/// Fails if another backup of this database runs.
pub async fn create(
    store: &BackupStore,
    source: BackupSource<'_>,
    check: CopyCheck,
) -> anyhow::Result<FinishedBackup> {
    let mut connection = table_copy::connection(source.db).await?;
    if !table_copy::lock_backups(&mut connection).await? {
        bail!("another backup of this database is running");
    }
    // After an error, the connection may be in the middle of a copy. Its end releases the lock.
    let done = create_locked(store, source, check, &mut connection).await?;
    table_copy::unlock_backups(&mut connection).await?;
    Ok(done)
}

async fn create_locked(
    store: &BackupStore,
    source: BackupSource<'_>,
    check: CopyCheck,
    connection: &mut PgConnection,
) -> anyhow::Result<FinishedBackup> {
    let mut files = FileCopies {
        store,
        files: source.files,
        check,
        listed: store.files().await?,
        whole: HashMap::new(),
        copied: 0,
    };
    files.copy(list_files(connection).await?).await?;

    let created_at = source.clock.now();
    let id =
        format!("{}-{}", created_at.strftime("%Y%m%dT%H%M%S%.3fZ"), hex::encode(source.random.bytes::<4>()));
    let mut tx = table_copy::begin_export(connection).await?;
    let position = changes::head(&mut *tx).await?.position;
    let migrations = table_copy::applied_migrations(&mut tx).await?;
    let sequences = table_copy::sequences(&mut tx).await?;
    let mut tables = Vec::new();
    for table in table_copy::tables(&mut tx).await? {
        tables.push(copy_table(store, &id, &mut tx, table).await?);
    }
    let referred = list_files(&mut tx).await?;
    tx.rollback().await?;
    let (entries, missing_files) = files.copy(referred).await?;

    let file_bytes = entries.iter().map(|entry| entry.size).sum();
    let mut lines = Vec::new();
    for entry in &entries {
        serde_json::to_writer(&mut lines, entry)?;
        lines.push(b'\n');
    }
    let list = store.put(&id, "files.gz", entries.len() as u64, compress(lines).await?).await?;
    let manifest = Manifest {
        format: FORMAT,
        created_at,
        version: source.version.to_owned(),
        migrations,
        position,
        tables,
        sequences,
        files: list,
        file_bytes,
        missing_files,
        signing_key: copy_signing_key(store, &id, source.data).await?,
        id,
    };
    store.put_manifest(&manifest).await?;
    let recorded = portal_state::record_backup(connection, created_at).await;
    recorded.context("the backup is complete, but could not be recorded for monitoring")?;
    Ok(FinishedBackup { manifest, copied_files: files.copied })
}

/// Copies the rows of a table in parts.
async fn copy_table(
    store: &BackupStore,
    id: &str,
    tx: &mut PgConnection,
    table: CopiedTable,
) -> anyhow::Result<TableContent> {
    let mut content = TableContent { rows: 0, parts: Vec::new(), table };
    let mut rows = table_copy::export(tx, &content.table).await?;
    let mut buffer = Vec::new();
    loop {
        let chunk =
            rows.try_next().await.with_context(|| format!("reading the table {}", content.table.name))?;
        let is_last = chunk.is_none();
        buffer.extend(chunk.unwrap_or_default());
        let is_full = buffer.len() >= PART_BYTES && buffer.ends_with(b"\n");
        if (is_full || is_last) && !buffer.is_empty() {
            let name = format!("table.{}.{:06}.gz", content.table.name, content.parts.len());
            // A line break in a value is escaped, so each line is a row.
            let count = buffer.iter().filter(|byte| **byte == b'\n').count() as u64;
            let bytes = compress(std::mem::take(&mut buffer)).await?;
            content.parts.push(store.put(id, &name, count, bytes).await?);
            content.rows += count;
        }
        if is_last {
            drop(rows);
            return Ok(content);
        }
    }
}

async fn copy_signing_key(store: &BackupStore, id: &str, data: &DataConfig) -> anyhow::Result<Option<Part>> {
    let path = data.signing_key();
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(store.put(id, "signing.key", 1, bytes).await?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

async fn list_files(connection: &mut PgConnection) -> Result<Vec<ReferredFile>, sqlx::Error> {
    let mut files = Vec::new();
    for folder in FileFolder::ALL {
        let mut after = String::new();
        loop {
            let page = stored_files::page(&mut *connection, folder, &after, FILES_AT_ONCE).await?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.hash);
            files.extend(page);
        }
    }
    Ok(files)
}

/// Copies files of which the place of backups has no whole copy.
struct FileCopies<'a> {
    store: &'a BackupStore,
    files: &'a FileStore,
    check: CopyCheck,
    /// The files in the place, with their sizes. They may be damaged.
    listed: HashMap<String, u64>,
    /// The files of which the place has a whole copy, with their sizes.
    whole: HashMap<String, u64>,
    copied: u64,
}

/// A whole copy of a file in the place of backups.
struct WholeCopy {
    size: u64,
    is_new: bool,
}

impl FileCopies<'_> {
    /// Copies those of these files that have no whole copy. Returns the entries of the list of files, and
    /// the files that can't be copied.
    async fn copy(&mut self, files: Vec<ReferredFile>) -> anyhow::Result<(Vec<FileEntry>, Vec<String>)> {
        let mut seen = HashSet::new();
        let unchecked =
            files.iter().filter(|file| !self.whole.contains_key(&file.hash) && seen.insert(&file.hash));
        let this = &*self;
        let copies = stream::iter(unchecked.map(async |file| {
            let copy = this.ensure_copy(file).await?;
            Ok::<_, anyhow::Error>(copy.map(|copy| (file.hash.clone(), copy)))
        }));
        let copies: Vec<_> = copies.buffer_unordered(CONCURRENT_FILES).try_collect().await?;
        for (hash, copy) in copies.into_iter().flatten() {
            self.copied += u64::from(copy.is_new);
            self.whole.insert(hash, copy.size);
        }
        let (mut entries, mut missing) = (Vec::new(), Vec::new());
        let mut paths = HashSet::new();
        for file in files {
            let path = FileName::of(&file)?.to_string();
            if !paths.insert(path.clone()) {
                continue;
            }
            match self.whole.get(&file.hash) {
                Some(size) => entries.push(FileEntry { path, hash: file.hash, size: *size }),
                None => missing.push(path),
            }
        }
        Ok((entries, missing))
    }

    /// Copies a file unless the place has a whole copy. `None`: neither the server nor the place has the
    /// whole file.
    async fn ensure_copy(&self, file: &ReferredFile) -> anyhow::Result<Option<WholeCopy>> {
        let name = FileName::of(file)?;
        let listed = self.listed.get(&file.hash).copied();
        if let Some(size) = listed
            && self.is_whole(file, &name, size).await?
        {
            return Ok(Some(WholeCopy { size, is_new: false }));
        }
        let original = self.files.read(&name).await?;
        if let Some(bytes) = original.filter(|bytes| file_store::hash(bytes) == file.hash) {
            let size = bytes.len() as u64;
            self.store.put_file(&file.hash, bytes).await?;
            return Ok(Some(WholeCopy { size, is_new: true }));
        }
        // The server has lost the file, so its size says nothing about the copy.
        match listed {
            Some(size) if self.store.has_whole_file(&file.hash).await? => {
                Ok(Some(WholeCopy { size, is_new: false }))
            }
            _ => Ok(None),
        }
    }

    /// Whether the copy of a file, which has this size, passes the check.
    async fn is_whole(&self, file: &ReferredFile, name: &FileName, size: u64) -> anyhow::Result<bool> {
        match (self.check, file.size) {
            (CopyCheck::Content, _) => self.store.has_whole_file(&file.hash).await,
            (CopyCheck::Size, Some(expected)) => Ok(u64::try_from(expected) == Ok(size)),
            (CopyCheck::Size, None) => Ok(self.files.size(name).await? == Some(size)),
        }
    }
}
