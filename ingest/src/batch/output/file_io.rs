//! Reads and writes the files of an output folder, with errors that name the file.

use super::record::PageRecord;
use crate::{base::files::write_atomically, batch::BatchError, markdown};
use std::{fs, io, path::Path};
use tender_model::tender::Tender;

/// Reads the tender in the file of a notice.
pub(crate) fn read_tender(path: &Path) -> Result<Tender, BatchError> {
    let unread = |source: io::Error| BatchError::Unread { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(unread)?;
    markdown::read(&text).map_err(|source| BatchError::Notice { path: path.to_owned(), source })
}

/// Writes the record of a page.
pub(crate) fn write_record(path: &Path, record: &PageRecord) -> Result<(), BatchError> {
    let json = serde_json::to_vec_pretty(record)
        .map_err(|error| BatchError::Write { path: path.to_owned(), source: error.into() })?;
    write_file(path, &json)
}

/// Removes a file if it exists.
pub(crate) fn remove_file_if_present(path: &Path) -> Result<(), BatchError> {
    let removed = match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        // The removal must survive a power cut.
        Ok(()) => {
            fs::File::open(path.parent().unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
        }
    };
    removed.map_err(|source| BatchError::Write { path: path.to_owned(), source })
}

/// Writes a file atomically.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    write_atomically(path, bytes).map_err(|source| BatchError::Write { path: path.to_owned(), source })
}
