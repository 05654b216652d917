//! Why text could not be recognised.

use index::vocabulary::Language;

/// Why a clip could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text recognition failed.
    #[error(transparent)]
    Tesseract(#[from] TesseractError),
}

/// Why text recognition failed.
#[derive(Debug, thiserror::Error)]
pub enum TesseractError {
    /// It is not installed.
    #[error(
        "reading a scan needs tesseract; install it with `apt-get install tesseract-ocr tesseract-ocr-sin tesseract-ocr-tam`"
    )]
    Missing,
    /// It cannot read a language.
    #[error("tesseract cannot read language `{}`; install it with `apt-get install {package}`", .language.as_str())]
    MissingLanguage {
        /// The language.
        language: Language,
        /// Debian's package of it.
        package: &'static str,
    },
    /// The built-in recogniser failed.
    #[error(transparent)]
    BuiltIn(#[from] RecogniserError),
    /// It failed, hung or said too much.
    #[error("tesseract could not read a clip ({0}); run the page again, and report it if it happens again")]
    Failed(String),
}

/// Why the network failed. It is a part of the program, so that this is a defect of it.
#[derive(Debug, thiserror::Error)]
#[error("the built-in recogniser failed ({0}); please report it")]
pub struct RecogniserError(pub(crate) String);
