//! Moves the files of a portal to another place while the portal runs. The servers already store new files
//! in the new place, and read those that are not there yet from the earlier one.

use crate::{
    clients::file_store::{FileName, FileStore, hash},
    storage::stored_files::{self, FileFolder},
};
use anyhow::Context;
use futures::{StreamExt, TryStreamExt, stream};
use sqlx::PgPool;

/// The number of files that one query lists.
const FILES_AT_ONCE: i64 = 500;
/// The number of files that are copied at the same time.
const CONCURRENT_FILES: usize = 4;

/// What became of the files that rows refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MovedFiles {
    /// The number of files that were copied to the new place.
    pub copied: u64,
    /// The number of files that the new place had already.
    pub present: u64,
    /// The number of files that were deleted from the earlier place.
    pub deleted: u64,
    /// The files that neither place has, or whose content has another hash than their name.
    pub lost: Vec<String>,
}

/// Copies each file that a row refers to and that the new place lacks. If `delete` is set, also deletes from
/// the earlier place what the new one has. An interrupted move is continued by repeating it.
///
/// # Errors
/// Fails if a place or the database can't be reached.
pub async fn move_files(
    db: &PgPool,
    new: &FileStore,
    earlier: &FileStore,
    delete: bool,
) -> anyhow::Result<MovedFiles> {
    let mut moved = MovedFiles::default();
    for folder in FileFolder::ALL {
        let mut after = String::new();
        loop {
            let page = stored_files::page(db, folder, &after, FILES_AT_ONCE).await?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.hash);
            let names = page.iter().map(FileName::of).collect::<anyhow::Result<Vec<_>>>()?;
            let moves = names.into_iter().map(|name| move_file(new, earlier, name, delete));
            let done: Vec<FileMove> =
                stream::iter(moves).buffer_unordered(CONCURRENT_FILES).try_collect().await?;
            for FileMove { name, outcome, is_deleted } in done {
                match outcome {
                    Outcome::Copied => moved.copied += 1,
                    Outcome::Present => moved.present += 1,
                    Outcome::Lost => moved.lost.push(name.to_string()),
                }
                moved.deleted += u64::from(is_deleted);
            }
        }
    }
    Ok(moved)
}

struct FileMove {
    name: FileName,
    outcome: Outcome,
    is_deleted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Copied,
    Present,
    Lost,
}

async fn move_file(
    new: &FileStore,
    earlier: &FileStore,
    name: FileName,
    delete: bool,
) -> anyhow::Result<FileMove> {
    let original = earlier.size(&name).await?;
    let outcome = match (new.size(&name).await?, original) {
        (Some(_), None) => Outcome::Present,
        // Before the original is deleted, the copy is read.
        (Some(size), Some(original)) if size == original && (!delete || is_whole(new, &name).await?) => {
            Outcome::Present
        }
        (_, Some(_)) if copy(new, earlier, &name).await? => Outcome::Copied,
        _ => Outcome::Lost,
    };
    let is_deleted =
        delete && original.is_some() && outcome != Outcome::Lost && earlier.delete(&name).await?;
    Ok(FileMove { name, outcome, is_deleted })
}

/// Whether a file has the hash that its name states.
async fn is_whole(files: &FileStore, name: &FileName) -> anyhow::Result<bool> {
    let bytes = files.read(name).await?;
    Ok(bytes.is_some_and(|bytes| hash(&bytes) == name.hash()))
}

/// Copies a file. Returns `false` if its content has another hash than its name.
async fn copy(new: &FileStore, earlier: &FileStore, name: &FileName) -> anyhow::Result<bool> {
    let Some(mut file) = earlier.open_file(name, None).await? else { return Ok(false) };
    let mut incoming = new.receive(name.folder()).await?;
    while let Some(bytes) = file.content.try_next().await.with_context(|| format!("reading {name}"))? {
        incoming.write(&bytes).await.with_context(|| format!("copying {name}"))?;
    }
    if incoming.hash() != name.hash() {
        return Ok(false);
    }
    new.keep(incoming, name).await?;
    Ok(true)
}
