//! Where the files are that rows of the database refer to.

use super::clip_store::MediaType;
use crate::storage::stored_files::{FileFolder, ReferredFile};
use anyhow::Context;

/// The name of a folder below the data folder.
#[must_use]
pub const fn folder_name(folder: FileFolder) -> &'static str {
    match folder {
        FileFolder::Clips => "clips",
        FileFolder::Documents => "documents",
        FileFolder::NewspaperPages => "newspaper-pages",
    }
}

/// The path of a file below the data folder.
///
/// # Errors
/// Fails if the row of a clip has an unknown media type.
pub fn relative_path(file: &ReferredFile) -> anyhow::Result<String> {
    let folder = folder_name(file.folder);
    let Some(media_type) = &file.media_type else { return Ok(format!("{folder}/{}", file.hash)) };
    let kind = MediaType::from_stored(media_type)
        .with_context(|| format!("{} has the unknown media type {media_type}", file.row))?;
    Ok(format!("{folder}/{}.{}", file.hash, kind.extension()))
}
