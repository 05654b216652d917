//! Files that are written whole or not at all, and JSON files of bounded size.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// A record is never larger.
const MAX_JSON: u64 = 4 * 1024 * 1024;

/// Writes a file whole or not at all: a reader, or the next start after a crash, never sees a part of it.
///
/// # Errors
/// Where the folder cannot be made or written.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!(".{name}.part"));
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    // The new name itself must outlive a power cut.
    File::open(folder)?.sync_all()
}

/// A JSON file of ours; `None` where it is not there, too large or cannot be understood.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    try_json(path).ok().flatten()
}

/// A JSON file of ours; `None` only where it is not there.
///
/// # Errors
/// Where it cannot be read; of the kind `InvalidData` or `UnexpectedEof` where it is too large or cannot be understood.
pub(crate) fn try_json<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
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
    fn a_write_is_whole_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
