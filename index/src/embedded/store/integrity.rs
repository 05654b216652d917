//! Verifies the files of an index. Files never change after they are written, so each file is
//! verified only once. Notes record the verified files with their lengths and modification times.

use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, UNIX_EPOCH},
};
use tantivy::{Index, IndexMeta, index::SegmentComponent};

/// The file that contains the notes.
const NOTES_FILE: &str = ".checked";

/// Whether the notes are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Skip files that are noted as verified.
    Notes,
    /// Verify every file.
    Nothing,
}

/// The verified files by name.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct VerifiedFiles(BTreeMap<String, FileStamp>);

/// The length and modification time of a file, to detect later changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    bytes: u64,
    /// The modification time since 1970.
    written: Duration,
}

/// Describes the first file that is missing or damaged. `None` if all files are intact.
pub(super) fn find_damage(
    path: &Path,
    index: &Index,
    metas: &IndexMeta,
    trust: Trust,
) -> tantivy::Result<Option<String>> {
    use SegmentComponent::{Delete, FastFields, FieldNorms, Positions, Postings, Store, Terms};
    let notes = fs::read(path.join(NOTES_FILE)).ok();
    let before: VerifiedFiles =
        notes.and_then(|notes| serde_json::from_slice(&notes).ok()).unwrap_or_default();
    let mut now = VerifiedFiles::default();
    for segment in &metas.segments {
        let deletes = segment.has_deletes().then_some(Delete);
        for component in
            [Postings, Positions, Terms, Store, FastFields, FieldNorms].into_iter().chain(deletes)
        {
            let file = segment.relative_path(component);
            let Some(stamp) = file_stamp(&path.join(&file)) else {
                return Ok(Some(format!("{} is missing", file.display())));
            };
            let name = file.to_string_lossy().into_owned();
            let known = trust == Trust::Notes && before.0.get(&name) == Some(&stamp);
            if !known && !index.directory().validate_checksum(&file)? {
                return Ok(Some(format!("{} was changed", file.display())));
            }
            now.0.insert(name, stamp);
        }
    }
    if now != before {
        save_notes(path, &now);
    }
    Ok(None)
}

fn file_stamp(file: &Path) -> Option<FileStamp> {
    let data = fs::metadata(file).ok()?;
    let written = data.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(FileStamp { bytes: data.len(), written })
}

/// Writes the notes. If this fails, the files are verified again next time.
fn save_notes(path: &Path, checked: &VerifiedFiles) {
    let next = path.join(format!("{NOTES_FILE}.{}", std::process::id()));
    let write = || {
        fs::write(&next, serde_json::to_vec(checked)?)?;
        fs::rename(&next, path.join(NOTES_FILE))
    };
    if let Err(error) = write() {
        tracing::debug!(path = %path.display(), %error, "cannot record the verified files");
    }
}
