//! Reading and writing the files of an output folder, with errors that name the file.

use super::record::PageRecord;
use crate::{base::files::write_atomically, batch::BatchError, markdown};
use index::tender::Tender;
use std::{fs, io, path::Path};

/// The tender of a notice's file.
pub(crate) fn read_tender(path: &Path) -> Result<Tender, BatchError> {
    let unread = |source: io::Error| BatchError::Unread { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(unread)?;
    markdown::read(&text).map_err(|source| BatchError::Notice { path: path.to_owned(), source })
}

/// Writes a page's record.
pub(crate) fn write_record(path: &Path, record: &PageRecord) -> Result<(), BatchError> {
    let json = serde_json::to_vec_pretty(record)
        .map_err(|error| BatchError::Write { path: path.to_owned(), source: error.into() })?;
    write_file(path, &json)
}

/// Removes a file; where there is none, all is well.
pub(crate) fn remove_file_if_present(path: &Path) -> Result<(), BatchError> {
    let removed = match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        // That it is gone must outlive a power cut, too.
        Ok(()) => {
            fs::File::open(path.parent().unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
        }
    };
    removed.map_err(|source| BatchError::Write { path: path.to_owned(), source })
}

/// Writes a file whole or not at all.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    write_atomically(path, bytes).map_err(|source| BatchError::Write { path: path.to_owned(), source })
}
