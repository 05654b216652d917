//! The text of a document in one column, such as the PDF that a publisher attaches to a tender: by pdf-extract, in the order in
//! which the document sets it and without places. Pages of a newspaper need places, and are read by `page` and `read`.
//!
//! The library works in the process that calls it, without bounds, and may panic; so [`TextReader`] has a process of its own do it.

use crate::command::{self, Bounds, CommandError};
use crate::ocr::is_sound;
use std::{
    ffi::OsString,
    io::{self, Read, Write},
    panic,
    path::PathBuf,
    time::Duration,
};

/// The largest document that is read, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;
/// The longest text that is given back, in bytes; of a longer one, its beginning.
pub const MAX_TEXT: usize = 512 << 10;
/// What the reading of one document may use: a hundred pages of text take two seconds and 60 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(40),
    processor: Duration::from_secs(20),
    memory: 1 << 30,
    output: 4 * MAX_TEXT as u64,
};

/// How [`DocumentError::Unreadable`] begins.
const UNREADABLE: &str = "it is not a PDF that can be read: ";
/// How far from its beginning a PDF may say that it is one.
const HEADER_WITHIN: usize = 1024;
/// The part of words in Sinhala or Tamil from which a text is not believed.
const NATIVE_SHARE: f64 = 0.1;

/// Why a document has no text.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It is larger than [`MAX_BYTES`].
    #[error("it has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// It is no PDF, or a broken one.
    #[error("{UNREADABLE}{0}")]
    Unreadable(String),
    /// It took too long, or wanted too much memory.
    #[error("it could not be read within bounds: {0}")]
    OutOfBounds(String),
    /// It holds pictures of text alone.
    #[error("it holds no text; a scan can be read as a page, by `ingest run`")]
    Empty,
    /// Its letters are codes of an old font.
    #[error("its letters make no words, as those of old Sinhala and Tamil fonts do not")]
    Unsound,
    /// Letters of Sinhala and Tamil come in the order in which they are drawn, and some not at all.
    #[error(
        "it is in Sinhala or Tamil, of which no true text can be had here; `ingest run` reads it as a page"
    )]
    Native,
    /// The program that reads it could not be run.
    #[error("the program that reads it could not be run: {0}")]
    Program(String),
}

/// Reads documents in a process of its own, held to bounds on time, work, memory and output.
#[derive(Debug, Clone)]
pub struct TextReader {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl TextReader {
    /// A program that, given these arguments, does what [`serve`] does.
    #[must_use]
    pub fn new(program: PathBuf, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { program, arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// What a PDF says. Waits until it is read.
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
                let complaint = answer.complaint.lines().last().unwrap_or("it ended without a word");
                let why = complaint.rsplit_once(UNREADABLE).map_or(complaint, |(_, why)| why);
                return Err(DocumentError::Unreadable(crate::message::line(why)));
            }
            Err(error @ (CommandError::Missing | CommandError::Run(_))) => {
                return Err(DocumentError::Program(error.to_string()));
            }
            Err(error) => return Err(DocumentError::OutOfBounds(error.to_string())),
        };
        let text = tidy(&String::from_utf8_lossy(&answer));
        match text {
            text if text.is_empty() => Err(DocumentError::Empty),
            text if is_native(&text) => Err(DocumentError::Native),
            text if !is_sound(&text) => Err(DocumentError::Unsound),
            text => Ok(text),
        }
    }
}

/// What the process of a [`TextReader`] does: a PDF comes on standard input, its text goes to standard output.
///
/// # Errors
/// When the input is no PDF that can be read.
pub fn serve() -> Result<(), DocumentError> {
    let unreadable = |error: io::Error| DocumentError::Unreadable(error.to_string());
    let mut pdf = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut pdf).map_err(unreadable)?;
    if pdf.len() as u64 > MAX_BYTES {
        return Err(DocumentError::TooLarge);
    }
    // Readers forgive what a mail or a server has put before the header; the library does not.
    let begins = pdf.windows(5).take(HEADER_WITHIN).position(|mark| mark == b"%PDF-").unwrap_or(0);
    let pdf = pdf.get(begins..).unwrap_or_default();
    // A panic is the library's way to refuse some files; its message would be a newcomer's riddle.
    panic::set_hook(Box::new(|_| ()));
    let text = panic::catch_unwind(|| pdf_extract::extract_text_from_mem(pdf))
        .map_err(|_| DocumentError::Unreadable("it is broken, or uses what no reader here knows".to_owned()))?
        .map_err(|error| DocumentError::Unreadable(error.to_string()))?;
    io::stdout().lock().write_all(text.as_bytes()).map_err(unreadable)
}

/// Without the spaces that justify lines, without empty lines but one between paragraphs, and no longer than [`MAX_TEXT`].
fn tidy(text: &str) -> String {
    let mut tidied = String::new();
    for line in text.lines() {
        let words: Vec<&str> =
            line.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
        let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if tidied.len() + line.len() + 2 > MAX_TEXT {
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

fn is_native(text: &str) -> bool {
    let native = |word: &&str| {
        word.chars().any(|letter| matches!(letter, '\u{0B80}'..='\u{0BFF}' | '\u{0D80}'..='\u{0DFF}'))
    };
    let words = text.split_whitespace().count();
    text.split_whitespace().filter(native).count() as f64 > NATIVE_SHARE * words as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(script: &str) -> TextReader {
        TextReader::new("sh".into(), ["-c", script])
    }

    #[test]
    fn spaces_that_justify_and_empty_lines_go() {
        assert_eq!(tidy("\n\n A  title\u{0} \n\n\n\nof  two\t lines \nx\n\n"), "A title\n\nof two lines\nx");
        assert!(tidy(&"long line\n".repeat(MAX_TEXT)).len() <= MAX_TEXT);
    }

    #[test]
    fn a_reader_that_fails_costs_one_document() {
        let bounds = Bounds { time: Duration::from_millis(300), processor: Duration::from_secs(1), ..BOUNDS };
        let read = |script| reader(script).read_within(b"%PDF-1.4", bounds);
        assert_eq!(read("cat > /dev/null; echo The bid is for the road").unwrap(), "The bid is for the road");
        assert!(matches!(read("cat > /dev/null; exit 3"), Err(DocumentError::Unreadable(_))));
        assert!(matches!(read("sleep 60"), Err(DocumentError::OutOfBounds(_))));
        assert!(matches!(read("yes"), Err(DocumentError::OutOfBounds(_))));
        assert!(matches!(read("true"), Err(DocumentError::Empty)));
        assert!(matches!(read("echo 'fu%h ;u; fgka|rh i|yd wh~'"), Err(DocumentError::Unsound)));
        assert!(matches!(read("echo 'ලංසු කැඳවීම for roads'"), Err(DocumentError::Native)));
        let nothing = TextReader::new("/nonexistent/reader".into(), ["-"]);
        assert!(matches!(nothing.read(b"%PDF-1.4"), Err(DocumentError::Program(_))));
    }
}
