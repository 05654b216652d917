//! Reads the text of clips: the readers, and the choice of a reader for each clip.

mod error;
mod line_assembly;
mod placed_word;
mod reader;
mod readers;
mod recogniser;
mod relevance;
mod tesseract;
mod text;
mod text_layer;
mod word_joining;

pub use error::{OcrError, ReadError, RecogniserError};
pub use reader::{PageOrientation, ReadOutcome, ReadPage, Reader, read_page};
pub use readers::Readers;
pub use tesseract::Tesseract;
pub(crate) use text::AGREED;
pub use text::{ClipText, Line, Paragraph, ReaderName, script_language};
pub use text_layer::TextLayerReader;
