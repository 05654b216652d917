//! Tesseract as a program: found, bounded and run. A crash or a hang costs a page, not the batch.

use super::{
    clip_image::{self, ClipImage, ClipRows},
    tsv,
};
use crate::base::Word;
use crate::command::{self, Answer, Bounds, CommandError};
use crate::layout::Clip;
use crate::ocr::{error::TesseractError, placed_word::PlacedWord};
use crate::page::Page;
use index::vocabulary::Language;
use rayon::prelude::*;
use std::time::Duration;

/// What tesseract may use for one clip; most take a second and 100 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(180),
    processor: Duration::from_secs(180),
    memory: 2 << 30,
    output: 16 << 20,
};
/// The most pictures that one run is given: beyond this, what starting it costs doesn't count any more.
const AT_ONCE: usize = 32;
/// Nor is one started for fewer where another reads besides.
const LEAST_AT_ONCE: usize = 3;
/// Segmentation: a page, laid out by tesseract itself.
pub(super) const PAGE: &str = "3";
/// Segmentation: a column of text of several sizes.
pub(super) const COLUMN: &str = "4";
/// Segmentation: one even block.
pub(super) const BLOCK: &str = "6";
/// The languages, tesseract's names of them, and Debian's packages.
const LANGUAGES: [(Language, &str, &str); 3] = [
    (Language::English, "eng", "tesseract-ocr-eng"),
    (Language::Sinhala, "sin", "tesseract-ocr-sin"),
    (Language::Tamil, "tam", "tesseract-ocr-tam"),
];

/// The text recognition.
#[derive(Debug, Clone)]
pub struct Tesseract {
    program: String,
    bounds: Bounds,
}

impl Tesseract {
    /// Finds tesseract and its languages.
    ///
    /// # Errors
    /// Where it or a language is missing.
    pub fn new() -> Result<Self, TesseractError> {
        Self::with_program("tesseract")
    }

    /// The same with a program of another name or place.
    ///
    /// # Errors
    /// Where it or a language is missing.
    pub fn with_program(program: &str) -> Result<Self, TesseractError> {
        let tesseract = Self { program: program.to_owned(), bounds: BOUNDS };
        let answer = tesseract.ask(&["--list-langs"], &[], 1)?;
        check_languages(&String::from_utf8_lossy(&answer.output))?;
        Ok(tesseract)
    }

    /// The same, giving up a clip after this time.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { bounds: Bounds { time, ..self.bounds }, ..self }
    }

    /// Runs tesseract over so many pictures; an exit that is no success is an error.
    pub(super) fn ask(
        &self,
        arguments: &[&str],
        input: &[u8],
        pictures: usize,
    ) -> Result<Answer, TesseractError> {
        match self.run(arguments, input, pictures)? {
            answer if answer.status.success() => Ok(answer),
            answer => {
                Err(TesseractError::Failed(answer.complaint.lines().last().unwrap_or("it failed").to_owned()))
            }
        }
    }

    /// Runs tesseract over so many pictures, each of which may take the bound on time.
    pub(super) fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        pictures: usize,
    ) -> Result<Answer, TesseractError> {
        let mut program = command::program(&self.program);
        // One thread each: clips are read side by side, and more threads only get in each other's way.
        program.args(arguments).env("OMP_THREAD_LIMIT", "1");
        let times = u32::try_from(pictures.max(1)).unwrap_or(u32::MAX);
        let Bounds { time, processor, .. } = self.bounds;
        let [time, processor] = [time, processor].map(|bound| bound.saturating_mul(times));
        command::run(&mut program, input, Bounds { time, processor, ..self.bounds }).map_err(|error| {
            match error {
                CommandError::Missing => TesseractError::Missing,
                error => TesseractError::Failed(error.to_string()),
            }
        })
    }

    /// The words of a whole page in the order in which they come out, by tesseract's own layout and in all languages: what all else here is
    /// better than.
    ///
    /// # Errors
    /// Where it fails.
    pub fn whole_page(&self, page: &Page) -> Result<Vec<Word>, TesseractError> {
        let clip = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let mode = OcrMode { languages: "eng+sin+tam", segmentation: PAGE };
        let picture = ClipImage::new(page, &clip);
        let whole = ClipRows { picture: 0, rows: 0..picture.height() };
        let lines = self.lines(&[picture], &[whole], mode)?;
        Ok(lines.into_iter().flatten().flatten().map(|placed| placed.word).collect())
    }

    /// The words of each part of these pictures, line by line, read side by side on the threads of the pool at hand. One run reads several:
    /// starting it takes as long as reading ten lines.
    pub(super) fn lines(
        &self,
        pictures: &[ClipImage<'_>],
        parts: &[ClipRows],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, TesseractError> {
        let share = parts.len().div_ceil(rayon::current_num_threads()).clamp(LEAST_AT_ONCE, AT_ONCE);
        let read: Result<Vec<_>, _> =
            parts.par_chunks(share).map(|parts| self.run_over(pictures, parts, mode)).collect();
        Ok(read?.into_iter().flatten().collect())
    }

    /// The words of each part, by one run.
    fn run_over(
        &self,
        pictures: &[ClipImage<'_>],
        parts: &[ClipRows],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, TesseractError> {
        let Some(first) = parts.first() else { return Ok(Vec::new()) };
        let dpi = pictures[first.picture].dpi.to_string();
        let arguments = ["stdin", "stdout", "--dpi", &dpi, "--psm", mode.segmentation, "-l", mode.languages];
        // Bands are turned before (`bands`), and no newspaper is typewritten: neither is looked for again.
        let settings = ["tessedit_create_tsv=1", "invert_threshold=0", "textord_all_prop=1"];
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["-c", setting]).collect();
        let bytes =
            clip_image::tiff(pictures, parts).map_err(|error| TesseractError::Failed(error.to_string()))?;
        let answer = self.ask(&[&arguments[..], &settings[..]].concat(), &bytes, parts.len())?;
        Ok(tsv::read(&String::from_utf8_lossy(&answer.output), pictures, parts))
    }
}

/// One way of reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct OcrMode {
    pub(super) languages: &'static str,
    pub(super) segmentation: &'static str,
}

/// Whether all languages are in the answer of `tesseract --list-langs`.
fn check_languages(answer: &str) -> Result<(), TesseractError> {
    for (language, name, package) in LANGUAGES {
        if !answer.lines().any(|line| line.trim() == name) {
            return Err(TesseractError::MissingLanguage { language, package });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_or_language_names_its_package() {
        let missing = Tesseract::with_program("no-such-tesseract").unwrap_err();
        assert!(missing.to_string().contains("apt-get install tesseract-ocr"), "{missing}");
        let missing = check_languages("List of available languages (2):\neng\ntam\n").unwrap_err();
        assert!(missing.to_string().contains("tesseract-ocr-sin"), "{missing}");
        assert!(check_languages("eng\nosd\nsin\ntam").is_ok());
    }
}
