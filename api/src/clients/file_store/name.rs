//! The names of stored files.

use crate::{
    domain::clip::MediaType,
    storage::stored_files::{FileFolder, ReferredFile},
};
use anyhow::Context;
use object_store::path::Path as ObjectPath;
use sha2::{Digest, Sha256};
use std::fmt;

/// Returns the hash of these bytes: their SHA-256 in 64 hex digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Whether a text has the format of [`hash`].
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The name of a folder.
#[must_use]
pub const fn folder_name(folder: FileFolder) -> &'static str {
    match folder {
        FileFolder::Clips => "clips",
        FileFolder::Documents => "documents",
        FileFolder::NewspaperPages => "newspaper-pages",
    }
}

/// The name of a stored file, such as `documents/HASH` or `clips/HASH.jpg`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileName {
    folder: FileFolder,
    hash: String,
    /// The type of a clip.
    media_type: Option<MediaType>,
}

impl FileName {
    /// The name of a clip with this hash.
    #[must_use]
    pub fn clip(hash: impl Into<String>, media_type: MediaType) -> Self {
        Self { folder: FileFolder::Clips, hash: hash.into(), media_type: Some(media_type) }
    }

    /// The name of a document with this hash.
    #[must_use]
    pub fn document(hash: impl Into<String>) -> Self {
        Self { folder: FileFolder::Documents, hash: hash.into(), media_type: None }
    }

    /// The name of a newspaper file, or of the picture of a page, with this hash.
    #[must_use]
    pub fn newspaper_page(hash: impl Into<String>) -> Self {
        Self { folder: FileFolder::NewspaperPages, hash: hash.into(), media_type: None }
    }

    /// The name of the file that a row refers to.
    ///
    /// # Errors
    /// Fails if the row of a clip has an unknown media type.
    pub fn of(file: &ReferredFile) -> anyhow::Result<Self> {
        let media_type = file.media_type.as_ref().map(|media_type| {
            MediaType::from_stored(media_type)
                .with_context(|| format!("{} has the unknown media type {media_type}", file.row))
        });
        Ok(Self { folder: file.folder, hash: file.hash.clone(), media_type: media_type.transpose()? })
    }

    /// Parses a name. `None`: the text is not the name of a stored file.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (folder, file) = text.split_once('/')?;
        let folder = FileFolder::ALL.into_iter().find(|known| folder_name(*known) == folder)?;
        let (hash, media_type) = match (folder, file.split_once('.')) {
            (FileFolder::Clips, Some((hash, extension))) => {
                (hash, Some(MediaType::ALL.into_iter().find(|known| known.extension() == extension)?))
            }
            (FileFolder::Documents | FileFolder::NewspaperPages, None) => (file, None),
            _ => return None,
        };
        is_hash(hash).then(|| Self { folder, hash: hash.to_owned(), media_type })
    }

    /// The folder of the file.
    #[must_use]
    pub const fn folder(&self) -> FileFolder {
        self.folder
    }

    /// The hash of the content.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The path of the object.
    pub(super) fn object(&self) -> ObjectPath {
        ObjectPath::from(self.to_string())
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", folder_name(self.folder), self.hash)?;
        match self.media_type {
            Some(media_type) => write!(f, ".{}", media_type.extension()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_are_valid_names() {
        assert!(is_hash(&hash(b"x")));
        for rubbish in ["", "../../etc/passwd", &hash(b"x").to_uppercase(), &"a".repeat(63)] {
            assert!(!is_hash(rubbish), "{rubbish}");
        }
    }

    #[test]
    fn a_name_is_parsed_as_it_is_shown() {
        let hash = hash(b"x");
        for name in [
            FileName::clip(&hash, MediaType::Webp),
            FileName::document(&hash),
            FileName::newspaper_page(&hash),
        ] {
            assert_eq!(FileName::parse(&name.to_string()), Some(name));
        }
    }

    #[test]
    fn names_outside_the_folders_are_refused() {
        let hash = hash(b"x");
        for rubbish in [
            "/etc/passwd".to_owned(),
            "clips/../signing.key".to_owned(),
            "signing.key".to_owned(),
            format!("index/{hash}"),
            "clips/".to_owned(),
            format!("clips/{hash}"),
            format!("clips/.{hash}.jpg"),
            format!("clips/{hash}.svg"),
            format!("documents/{hash}.pdf"),
            format!("documents/{hash}/x"),
        ] {
            assert_eq!(FileName::parse(&rubbish), None, "{rubbish}");
        }
    }
}
