//! Extracts the text of a single-column document, such as a PDF that a publisher attaches to a
//! tender. The text is in document order and without positions. Newspaper pages need positions and
//! are read by `ingest`.
//!
//! The library pdf-extract has no limits and may panic. [`TextReader`] therefore runs it in a
//! separate process.

pub mod command;
pub mod plausible;

use command::{Bounds, CommandError};
use plausible::is_plausible;
use std::{
    ffi::OsString,
    io::{self, Read, Write},
    panic,
    path::PathBuf,
    time::Duration,
};

/// The largest document that is read, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;
/// The longest text that is returned, in bytes. A longer text is truncated at a line end.
pub const MAX_TEXT_BYTES: usize = 512 << 10;
/// The limits for one document. A hundred pages of text take two seconds and 60 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(20),
    cpu_time: Duration::from_secs(5),
    memory: 256 << 20,
    output: 4 * MAX_TEXT_BYTES as u64,
};

/// The beginning of the message of [`DocumentError::Unreadable`].
const UNREADABLE: &str = "it is not a PDF that can be read: ";
/// The header of a PDF begins within this many bytes.
const MAX_HEADER_OFFSET: usize = 1024;
/// A text with a larger fraction of Sinhala or Tamil words is refused.
const MAX_NATIVE_SHARE: f64 = 0.1;

/// Why a document has no text.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The document is larger than [`MAX_BYTES`].
    #[error("it has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The document is not a PDF, or it is damaged.
    #[error("{UNREADABLE}{0}")]
    Unreadable(String),
    /// Reading the document exceeded a limit of time, memory or output.
    #[error("reading it exceeded a limit: {0}")]
    OutOfBounds(String),
    /// The document has no text, usually because it has only images.
    #[error("it has no text; a scan can be read as a page with `ingest run`")]
    Empty,
    /// The words of the document are not plausible, probably because of a legacy font.
    #[error("its text has no valid words, probably because of a legacy Sinhala or Tamil font")]
    LegacyFont,
    /// The document is in Sinhala or Tamil. The library returns these letters in drawing order and
    /// omits some.
    #[error(
        "it is in Sinhala or Tamil, whose text cannot be extracted reliably; read it as a page with `ingest run`"
    )]
    NativeScript,
    /// The program that reads the document could not be run.
    #[error("the program that reads it could not be run: {0}")]
    Program(String),
}

/// Reads documents in a separate process with limits of time, memory and output.
#[derive(Debug, Clone)]
pub struct TextReader {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl TextReader {
    /// Creates a reader that runs this program with these arguments. The program must call
    /// [`serve`].
    #[must_use]
    pub fn new(program: PathBuf, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { program, arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// Returns the text of a PDF. Blocks until the process has ended.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub fn read(&self, pdf: &[u8]) -> Result<String, DocumentError> {
        self.read_within(pdf, BOUNDS)
    }

    fn read_within(&self, pdf: &[u8], bounds: Bounds) -> Result<String, DocumentError> {
        if pdf.len() as u64 > MAX_BYTES {
            return Err(DocumentError::TooLarge);
        }
        let program = self.program.to_string_lossy();
        let mut command = command::program(&program);
        let answer = match command::run(command.args(&self.arguments), pdf, bounds) {
            Ok(answer) if answer.status.success() => answer.output,
            Ok(answer) => {
                let error_output = answer.error_output.lines().last().unwrap_or("it ended without a message");
                let why = error_output.rsplit_once(UNREADABLE).map_or(error_output, |(_, why)| why);
                return Err(DocumentError::Unreadable(tender_model::terminal_text::single_line(why)));
            }
            Err(error @ (CommandError::Missing | CommandError::Run(_))) => {
                return Err(DocumentError::Program(error.to_string()));
            }
            Err(error) => return Err(DocumentError::OutOfBounds(error.to_string())),
        };
        let text = collapse_white_space(&String::from_utf8_lossy(&answer));
        match text {
            text if text.is_empty() => Err(DocumentError::Empty),
            text if has_many_native_words(&text) => Err(DocumentError::NativeScript),
            text if !is_plausible(&text) => Err(DocumentError::LegacyFont),
            text => Ok(text),
        }
    }
}

/// Reads a PDF from standard input and writes its text to standard output. The process of a
/// [`TextReader`] calls this function.
///
/// # Errors
/// If the input is too large or not a readable PDF, or the text cannot be written.
pub fn serve() -> Result<(), DocumentError> {
    let unreadable = |error: io::Error| DocumentError::Unreadable(error.to_string());
    let mut pdf = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut pdf).map_err(unreadable)?;
    if pdf.len() as u64 > MAX_BYTES {
        return Err(DocumentError::TooLarge);
    }
    // PDF viewers accept bytes that a mail or a server has put before the header; the library does
    // not.
    let begins = pdf.windows(5).take(MAX_HEADER_OFFSET).position(|mark| mark == b"%PDF-").unwrap_or(0);
    let pdf = pdf.get(begins..).unwrap_or_default();
    // The library panics on some files. The panic message would not help the operator.
    panic::set_hook(Box::new(|_| ()));
    let text = panic::catch_unwind(|| pdf_extract::extract_text_from_mem(pdf))
        .map_err(|_| DocumentError::Unreadable("it is damaged or uses an unsupported feature".to_owned()))?
        .map_err(|error| DocumentError::Unreadable(error.to_string()))?;
    io::stdout().lock().write_all(text.as_bytes()).map_err(unreadable)
}

/// Collapses spaces, control characters and empty lines, and truncates the text to
/// [`MAX_TEXT_BYTES`]. One empty line remains between paragraphs.
fn collapse_white_space(text: &str) -> String {
    let mut tidied = String::new();
    for line in text.lines() {
        let words: Vec<&str> =
            line.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
        let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if tidied.len() + line.len() + 2 > MAX_TEXT_BYTES {
            break;
        }
        match () {
            () if !line.is_empty() => tidied.extend([line.as_str(), "\n"]),
            () if !tidied.is_empty() && !tidied.ends_with("\n\n") => tidied.push('\n'),
            () => (),
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied
}

fn has_many_native_words(text: &str) -> bool {
    let native = |word: &&str| {
        word.chars().any(|letter| matches!(letter, '\u{0B80}'..='\u{0BFF}' | '\u{0D80}'..='\u{0DFF}'))
    };
    let words = text.split_whitespace().count();
    text.split_whitespace().filter(native).count() as f64 > MAX_NATIVE_SHARE * words as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(script: &str) -> TextReader {
        TextReader::new("sh".into(), ["-c", script])
    }

    #[test]
    fn spaces_and_empty_lines_are_collapsed() {
        assert_eq!(
            collapse_white_space("\n\n A  title\u{0} \n\n\n\nof  two\t lines \nx\n\n"),
            "A title\n\nof two lines\nx"
        );
        assert!(collapse_white_space(&"long line\n".repeat(MAX_TEXT_BYTES)).len() <= MAX_TEXT_BYTES);
    }

    #[test]
    fn a_failing_process_is_reported_as_an_error() {
        let bounds = Bounds { time: Duration::from_millis(300), cpu_time: Duration::from_secs(1), ..BOUNDS };
        let read = |script| reader(script).read_within(b"%PDF-1.4", bounds);
        assert_eq!(read("cat > /dev/null; echo The bid is for the road").unwrap(), "The bid is for the road");
        assert!(matches!(read("cat > /dev/null; exit 3"), Err(DocumentError::Unreadable(_))));
        assert!(matches!(read("sleep 60"), Err(DocumentError::OutOfBounds(_))));
        assert!(matches!(read("yes"), Err(DocumentError::OutOfBounds(_))));
        assert!(matches!(read("true"), Err(DocumentError::Empty)));
        assert!(matches!(read("echo 'fu%h ;u; fgka|rh i|yd wh~'"), Err(DocumentError::LegacyFont)));
        assert!(matches!(read("echo 'ලංසු කැඳවීම for roads'"), Err(DocumentError::NativeScript)));
        let nothing = TextReader::new("/nonexistent/reader".into(), ["-"]);
        assert!(matches!(nothing.read(b"%PDF-1.4"), Err(DocumentError::Program(_))));
    }
}
