//! Reads clips by Debian's tesseract, as a program of its own: a crash or a hang costs a page, not the batch. English is tried
//! first; where it makes no sense, Sinhala and Tamil are.

mod orientation;
mod picture;
mod table;

use super::assemble::{Placed, assemble};
use super::{ClipText, ReadError, Reader, ReaderName, Word, trust};
use crate::command::{self, Answer, Bounds, CommandError};
use crate::layout::Clip;
use crate::page::Page;
use index::vocabulary::Language;
use picture::Picture;
use std::time::Duration;

/// What tesseract may use for one clip; most take a second and 100 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(180),
    processor: Duration::from_secs(180),
    memory: 2 << 30,
    output: 16 << 20,
};
/// English read with less confidence than this, and without its common words, is another language.
const DOUBTFUL: f64 = 0.70;
/// A clip read with less confidence than this is read a second time, as one even block.
const LOW: f64 = 0.80;
/// What is read in a script that is not its own comes out with less confidence than this.
const RIGHT_SCRIPT: f64 = 0.60;
/// The second reading is taken only where it is better than the first by this.
const CLEARLY_BETTER: f64 = 0.97;
/// Segmentation: a page, laid out by tesseract itself.
const PAGE: &str = "3";
/// Segmentation: a column of text of several sizes.
const COLUMN: &str = "4";
/// Segmentation: one even block.
const BLOCK: &str = "6";
/// The ways of reading what is no English.
const OTHER_LANGUAGES: [Way; 2] =
    [Way { languages: "sin+eng", segmentation: COLUMN }, Way { languages: "tam+eng", segmentation: COLUMN }];
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
    /// It failed, hung or said too much.
    #[error("tesseract could not read a clip ({0}); run the page again, and report it if it happens again")]
    Failed(String),
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
    fn ask(&self, arguments: &[&str], input: &[u8], pictures: usize) -> Result<Answer, TesseractError> {
        match self.run(arguments, input, pictures)? {
            answer if answer.status.success() => Ok(answer),
            answer => {
                Err(TesseractError::Failed(answer.complaint.lines().last().unwrap_or("it failed").to_owned()))
            }
        }
    }

    /// Runs tesseract over so many pictures, each of which may take the bound on time.
    fn run(&self, arguments: &[&str], input: &[u8], pictures: usize) -> Result<Answer, TesseractError> {
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
        let way = Way { languages: "eng+sin+tam", segmentation: PAGE };
        let pieces = self.pieces(&[&Picture::new(page, &clip)], way)?;
        Ok(pieces.into_iter().flatten().flatten().map(|placed| placed.word).collect())
    }

    /// Reads the chosen pictures once more, and keeps each reading that is better than the best so far, of which this part of
    /// the new one's weight is enough.
    fn improve(
        &self,
        pictures: &[Picture<'_>],
        best: &mut [Best],
        chosen: &[usize],
        (way, enough): (Way, f64),
    ) -> Result<(), TesseractError> {
        if chosen.is_empty() {
            return Ok(());
        }
        let again: Vec<&Picture<'_>> = chosen.iter().map(|at| &pictures[*at]).collect();
        for (at, pieces) in chosen.iter().zip(self.pieces(&again, way)?) {
            let text = assemble(pieces, ReaderName::Tesseract);
            if weight(best[*at].text.as_ref()) < enough * weight(text.as_ref()) {
                best[*at] = Best { text, languages: way.languages };
            }
        }
        Ok(())
    }

    /// The words of each picture, line by line. All are read by one program: starting it takes as long as reading ten lines.
    fn pieces(&self, pictures: &[&Picture<'_>], way: Way) -> Result<Vec<Vec<Vec<Placed>>>, TesseractError> {
        let Some(first) = pictures.first() else { return Ok(Vec::new()) };
        let dpi = first.dpi.to_string();
        let arguments = [
            "stdin",
            "stdout",
            "--dpi",
            &dpi,
            "--psm",
            way.segmentation,
            "-l",
            way.languages,
            "-c",
            "tessedit_create_tsv=1",
        ];
        let bytes = picture::tiff(pictures).map_err(|error| TesseractError::Failed(error.to_string()))?;
        let answer = self.ask(&arguments, &bytes, pictures.len())?;
        Ok(table::read(&String::from_utf8_lossy(&answer.output), pictures))
    }
}

/// One way of reading.
#[derive(Debug, Clone, Copy)]
struct Way {
    languages: &'static str,
    segmentation: &'static str,
}

/// The best reading of a picture so far.
#[derive(Debug, Clone)]
struct Best {
    text: Option<ClipText>,
    languages: &'static str,
}

impl Best {
    fn is_below(&self, confidence: f64) -> bool {
        self.text.as_ref().is_none_or(|text| text.confidence < confidence)
    }

    /// Whether it was read as Sinhala or Tamil, and makes sense so: letters of another script are read with less confidence.
    fn is_other_language(&self) -> bool {
        self.languages != "eng" && !self.is_below(RIGHT_SCRIPT)
    }

    fn is_no_english(&self) -> bool {
        self.is_below(DOUBTFUL) && self.text.as_ref().is_none_or(|text| !trust::is_english(&text.text()))
    }
}

impl Reader for Tesseract {
    fn read(&self, page: &Page, clips: &[&Clip]) -> Result<Vec<Option<ClipText>>, ReadError> {
        let pictures: Vec<Picture<'_>> = clips.iter().map(|clip| Picture::new(page, clip)).collect();
        let mut best = vec![Best { text: None, languages: "eng" }; clips.len()];
        let all: Vec<usize> = (0..clips.len()).collect();
        let english = Way { languages: "eng", segmentation: COLUMN };
        self.improve(&pictures, &mut best, &all, (english, 1.0))?;
        let foreign: Vec<usize> = all.iter().copied().filter(|at| best[*at].is_no_english()).collect();
        // A page is mostly in one language: the first clip tells which to try first on the others.
        if let Some((probe, rest)) = foreign.split_first() {
            for way in OTHER_LANGUAGES {
                self.improve(&pictures, &mut best, &[*probe], (way, 1.0))?;
            }
            let mut ways = OTHER_LANGUAGES;
            ways.sort_by_key(|way| way.languages != best[*probe].languages);
            for way in ways {
                let unread: Vec<usize> =
                    rest.iter().copied().filter(|at| !best[*at].is_other_language()).collect();
                self.improve(&pictures, &mut best, &unread, (way, 1.0))?;
            }
        }
        for languages in ["eng", "sin+eng", "tam+eng"] {
            let is_doubtful = |at: &usize| best[*at].languages == languages && best[*at].is_below(LOW);
            let doubtful: Vec<usize> = all.iter().copied().filter(is_doubtful).collect();
            let block = Way { languages, segmentation: BLOCK };
            self.improve(&pictures, &mut best, &doubtful, (block, CLEARLY_BETTER))?;
        }
        Ok(best.into_iter().map(|best| best.text).collect())
    }

    fn quarter_turns(&self, page: &Page) -> Result<Option<u32>, ReadError> {
        Ok(self.orientation(page)?)
    }
}

/// How much was read and how surely: the sum of the confidence of the letters.
fn weight(text: Option<&ClipText>) -> f64 {
    let words = text.into_iter().flat_map(ClipText::words);
    words.map(|word| word.text.chars().count() as f64 * word.confidence).sum()
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
