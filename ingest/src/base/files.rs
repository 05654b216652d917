//! Atomic writes, and JSON files of bounded size.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// The largest JSON file that is read, in bytes.
const MAX_JSON: u64 = 4 * 1024 * 1024;

/// Writes a file atomically. The file is never partial, even after a crash.
///
/// The temporary file has a fixed name. If a killed process left one behind, the next write
/// replaces it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!(".{name}.part"));
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    // The rename itself must survive a power cut.
    File::open(folder)?.sync_all()
}

/// Reads a JSON file. `None` if the file is missing, unreadable, too large or invalid.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    try_read_json(path).ok().flatten()
}

/// Reads a JSON file. `None` if the file is missing.
///
/// # Errors
/// The kind is `InvalidData` or `UnexpectedEof` for a file that is too large or invalid.
pub(crate) fn try_read_json<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if file.metadata()?.len() > MAX_JSON {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is too large"));
    }
    Ok(Some(serde_json::from_reader(io::BufReader::new(file))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_file_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
