//! Errors of text recognition.

use tender_model::vocabulary::Language;

/// Why a clip could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Tesseract or the built-in recogniser failed.
    #[error(transparent)]
    Ocr(#[from] OcrError),
}

/// Why text recognition failed.
#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    /// Tesseract is not installed.
    #[error(
        "reading a scan needs tesseract; install it with `apt-get install tesseract-ocr tesseract-ocr-sin tesseract-ocr-tam`"
    )]
    Missing,
    /// A language model of Tesseract is missing.
    #[error("tesseract cannot read language `{}`; install it with `apt-get install {package}`", .language.as_str())]
    MissingLanguage {
        /// The language.
        language: Language,
        /// The Debian package of the language.
        package: &'static str,
    },
    /// The built-in recogniser failed.
    #[error(transparent)]
    BuiltIn(#[from] RecogniserError),
    /// Tesseract could not be started, failed, hung or exceeded its output limit, or its input
    /// image could not be encoded.
    #[error("tesseract failed ({0}); try again, and report it if it fails again")]
    Failed(String),
}

/// Why the built-in recogniser failed. Its network is part of the program, so a failure is a bug.
#[derive(Debug, thiserror::Error)]
#[error("the built-in recogniser failed ({0}); please report it")]
pub struct RecogniserError(pub(crate) String);
