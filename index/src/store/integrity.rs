//! Verifies the files of an index. Files never change after they are written, so each is verified
//! only once. A note records verified files with their length and modification time.

use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, UNIX_EPOCH},
};
use tantivy::{Index, IndexMeta, index::SegmentComponent};

/// The file with the notes.
const CHECKED: &str = ".checked";

/// What to trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Files that are noted as verified.
    Notes,
    /// Nothing.
    Nothing,
}

/// The verified files by name.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CheckedFiles(BTreeMap<String, FileStamp>);

/// Detects files that were written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    bytes: u64,
    /// Since 1970.
    written: Duration,
}

/// Returns the first file that is missing or damaged.
pub(super) fn find_damage(
    path: &Path,
    index: &Index,
    metas: &IndexMeta,
    trust: Trust,
) -> tantivy::Result<Option<String>> {
    use SegmentComponent::{Delete, FastFields, FieldNorms, Positions, Postings, Store, Terms};
    let notes = fs::read(path.join(CHECKED)).ok();
    let before: CheckedFiles =
        notes.and_then(|notes| serde_json::from_slice(&notes).ok()).unwrap_or_default();
    let mut now = CheckedFiles::default();
    for segment in &metas.segments {
        let deletes = segment.has_deletes().then_some(Delete);
        for component in
            [Postings, Positions, Terms, Store, FastFields, FieldNorms].into_iter().chain(deletes)
        {
            let file = segment.relative_path(component);
            let Some(mark) = mark(&path.join(&file)) else {
                return Ok(Some(format!("{} is missing", file.display())));
            };
            let name = file.to_string_lossy().into_owned();
            let known = trust == Trust::Notes && before.0.get(&name) == Some(&mark);
            if !known && !index.directory().validate_checksum(&file)? {
                return Ok(Some(format!("{} was changed", file.display())));
            }
            now.0.insert(name, mark);
        }
    }
    if now != before {
        note(path, &now);
    }
    Ok(None)
}

fn mark(file: &Path) -> Option<FileStamp> {
    let data = fs::metadata(file).ok()?;
    let written = data.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(FileStamp { bytes: data.len(), written })
}

/// Writes the notes. If this fails, the files are verified again next time.
fn note(path: &Path, checked: &CheckedFiles) {
    let next = path.join(format!("{CHECKED}.{}", std::process::id()));
    let write = || {
        fs::write(&next, serde_json::to_vec(checked)?)?;
        fs::rename(&next, path.join(CHECKED))
    };
    if let Err(error) = write() {
        tracing::debug!(path = %path.display(), %error, "what was checked can't be noted");
    }
}
