//! Deletes old backups, incomplete ones, and the files that no backup refers to.

use super::{store::BackupStore, verify};
use crate::storage::table_copy;
use anyhow::bail;
use sqlx::PgPool;
use std::collections::HashSet;

/// What was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Complete backups.
    pub backups: usize,
    /// Incomplete backups.
    pub incomplete: usize,
    /// Files.
    pub files: usize,
    /// Temporary files of interrupted backups.
    pub temporary: usize,
}

/// Keeps the newest `keep` backups, and deletes what they do not need.
///
/// # Errors
/// Fails if another backup of this database runs, because it may need a file that is deleted.
pub async fn prune(store: &BackupStore, db: &PgPool, keep: usize) -> anyhow::Result<Pruned> {
    let mut connection = table_copy::connection(db).await?;
    if !table_copy::lock_backups(&mut connection).await? {
        bail!("another backup of this database is running");
    }
    // After an error, the end of the connection releases the lock.
    let done = prune_locked(store, keep).await?;
    table_copy::unlock_backups(&mut connection).await?;
    Ok(done)
}

async fn prune_locked(store: &BackupStore, keep: usize) -> anyhow::Result<Pruned> {
    let (complete, incomplete) = store.ids().await?;
    let (old, kept) = complete.split_at(complete.len().saturating_sub(keep));
    let mut needed = HashSet::new();
    for id in kept {
        // A damaged list of files fails here, before anything is deleted.
        let manifest = store.manifest(id).await?;
        needed.extend(verify::list_files(store, &manifest).await?.into_iter().map(|file| file.hash));
    }
    for id in old.iter().chain(&incomplete) {
        store.delete(id).await?;
    }
    let mut files = 0;
    for hash in store.files().await?.into_keys().filter(|hash| !needed.contains(hash)) {
        store.delete_file(&hash).await?;
        files += 1;
    }
    let temporary = store.delete_leftovers().await?;
    Ok(Pruned { backups: old.len(), incomplete: incomplete.len(), files, temporary })
}
