//! Secrets in files, such as credentials of systemd and secrets of containers.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// The maximum size of a secret, in bytes.
pub const MAX_SECRET_BYTES: u64 = 64 * 1024;

/// Why a secret can't be read from its file.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// The file is missing or can't be read.
    #[error("cannot be read ({0})")]
    Unreadable(#[from] io::Error),
    /// A folder.
    #[error("is a folder")]
    Folder,
    /// The file has no content except a newline.
    #[error("is empty")]
    Empty,
    /// The file is too large for a secret.
    #[error("has more than 64 KiB")]
    TooLarge,
    /// The file is not UTF-8.
    #[error("is not UTF-8 text")]
    NotText,
}

/// The content of a file, and whether all users of the machine can read the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileContent {
    pub text: String,
    pub is_open_to_all: bool,
}

/// Reads a secret without the newline that ends it.
pub(crate) fn read(path: &Path) -> Result<FileContent, SecretFileError> {
    let mut content = read_text(path, MAX_SECRET_BYTES)?;
    if content.text.ends_with('\n') {
        content.text.pop();
        if content.text.ends_with('\r') {
            content.text.pop();
        }
    }
    if content.text.trim().is_empty() { Err(SecretFileError::Empty) } else { Ok(content) }
}

/// Reads a file of at most this size.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> Result<FileContent, SecretFileError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(SecretFileError::Folder);
    }
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(SecretFileError::TooLarge);
    }
    let is_open_to_all = metadata.is_file() && metadata.permissions().mode() & 0o004 != 0;
    let text = String::from_utf8(bytes).map_err(|_| SecretFileError::NotText)?;
    Ok(FileContent { text, is_open_to_all })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(b"hush\n", Ok("hush"))]
    #[case(b"hush\r\n", Ok("hush"))]
    #[case(b"hush", Ok("hush"))]
    #[case(b"two\nlines\n\n", Ok("two\nlines\n"))]
    #[case(b"", Err("is empty"))]
    #[case(b"\n", Err("is empty"))]
    #[case(b"\xff", Err("is not UTF-8 text"))]
    fn content_is_read_without_the_last_newline(#[case] bytes: &[u8], #[case] expected: Result<&str, &str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, bytes).unwrap();
        let read = read(&path).map(|content| content.text).map_err(|error| error.to_string());
        assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn missing_large_and_open_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        assert!(matches!(read(&path), Err(SecretFileError::Unreadable(_))));
        assert!(matches!(read(folder.path()), Err(SecretFileError::Folder)));
        std::fs::write(&path, vec![b'x'; 64 * 1024]).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(!read(&path).unwrap().is_open_to_all);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(read(&path).unwrap().is_open_to_all);
        std::fs::write(&path, vec![b'x'; 64 * 1024 + 1]).unwrap();
        assert!(matches!(read(&path), Err(SecretFileError::TooLarge)));
    }
}
