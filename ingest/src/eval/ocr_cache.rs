//! Caches the words of pages, so that rules and thresholds can be tested quickly. OCR of a page
//! takes twenty seconds, and extraction takes almost no time. A cached page is identified by the
//! content of its file.

use crate::{layout::Clip, ocr::ClipText, page::Placement};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The OCR result of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedPage {
    /// How the image in the file was transformed into the page.
    pub(super) placement: Placement,
    /// The clips.
    pub(super) clips: Vec<Clip>,
    /// The text of each clip.
    pub(super) texts: Vec<Option<ClipText>>,
}

/// Why the cache cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: the cached words of a page cannot be read or written ({reason}); delete the file, or give another folder with --keep-words", path.display())]
pub(super) struct OcrCacheError {
    path: PathBuf,
    reason: String,
}

/// The cache file of a page.
pub(super) struct OcrCache(PathBuf);

impl OcrCache {
    /// Determines the path of the cache file of a page of a file, and creates the folder.
    pub(super) fn of(folder: &Path, file: &Path, number: u32) -> Result<Self, OcrCacheError> {
        fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
        let bytes = fs::read(file).map_err(|error| failure(file, error))?;
        let name = hex::encode(&Sha256::digest(bytes)[..12]);
        let name = if number == 1 { name } else { format!("{name}-{number}") };
        Ok(Self(folder.join(format!("{name}.json"))))
    }

    /// Reads the words of the page; `None` if they are not cached.
    pub(super) fn read(&self) -> Result<Option<CachedPage>, OcrCacheError> {
        let bytes = match fs::read(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| failure(&self.0, error))?,
        };
        let words: CachedPage = serde_json::from_slice(&bytes).map_err(|error| failure(&self.0, error))?;
        if words.clips.len() != words.texts.len() {
            return Err(failure(&self.0, "the numbers of texts and clips differ"));
        }
        Ok(Some(words))
    }

    /// Writes the words of the page.
    pub(super) fn write(&self, words: &CachedPage) -> Result<(), OcrCacheError> {
        let bytes = serde_json::to_vec(words).map_err(|error| failure(&self.0, error))?;
        // The file gets its name last, so that an interrupted write leaves no incomplete cache
        // file.
        let part = self.0.with_extension("part");
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, &self.0));
        written.map_err(|error| failure(&self.0, error))
    }
}

fn failure(path: &Path, reason: impl ToString) -> OcrCacheError {
    OcrCacheError { path: path.to_owned(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cached_by_page_content() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("p1.jpg");
        fs::write(&page, "a page").unwrap();
        let words = CachedPage {
            placement: Placement::default(),
            clips: vec![Clip::upright([0.1, 0.2, 0.3, 0.4])],
            texts: vec![Some(ClipText::from_plain("CALLING FOR TENDERS\tNow"))],
        };
        let place = || OcrCache::of(&folder.path().join("words"), &page, 1).unwrap();
        assert_eq!(place().read().unwrap(), None);
        place().write(&words).unwrap();
        assert_eq!(place().read().unwrap(), Some(words));
        fs::write(&place().0, "rubbish").unwrap();
        assert!(place().read().unwrap_err().to_string().contains("delete the file"));
        fs::write(&page, "another page").unwrap();
        assert_eq!(place().read().unwrap(), None);
    }
}
