//! Reads a clip by Debian's tesseract, as a program of its own: a crash or a hang costs one clip. English is tried first;
//! where it makes no sense, Sinhala and Tamil are.

use super::assemble::{Placed, assemble};
use super::{ClipText, ReadError, Reader, ReaderName, Word, trust};
use crate::command::{self, Answer, Bounds, CommandError};
use crate::layout::Clip;
use crate::page::Page;
use image::{GrayImage, Luma};
use index::vocabulary::Language;
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
/// The second reading is taken only where it is better than the first by this.
const CLEARLY_BETTER: f64 = 0.97;
/// White put around the clip, in pixels: letters at the very edge are missed.
const MARGIN: u32 = 12;
/// Words below this confidence that say next to nothing are a logo's or a stain's.
const NOISE: f64 = 0.35;
/// Segmentation: a page, laid out by tesseract itself.
const PAGE: &str = "3";
/// Segmentation: a column of text of several sizes.
const COLUMN: &str = "4";
/// Segmentation: one even block.
const BLOCK: &str = "6";
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
        let answer = tesseract.ask(&["--list-langs"], &[])?;
        check_languages(&String::from_utf8_lossy(&answer.output))?;
        Ok(tesseract)
    }

    /// The same, giving up a clip after this time.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { bounds: Bounds { time, ..self.bounds }, ..self }
    }

    /// Runs tesseract; an exit that is no success is an error.
    fn ask(&self, arguments: &[&str], input: &[u8]) -> Result<Answer, TesseractError> {
        let mut program = command::program(&self.program);
        // One thread each: clips are read side by side, and more threads only get in each other's way.
        program.args(arguments).env("OMP_THREAD_LIMIT", "1");
        match command::run(&mut program, input, self.bounds) {
            Ok(answer) if answer.status.success() => Ok(answer),
            Ok(answer) => {
                Err(TesseractError::Failed(answer.complaint.lines().last().unwrap_or("it failed").to_owned()))
            }
            Err(CommandError::Missing) => Err(TesseractError::Missing),
            Err(error) => Err(TesseractError::Failed(error.to_string())),
        }
    }

    /// The words of a whole page in the order in which they come out, by tesseract's own layout and in all languages: what all else here is
    /// better than.
    ///
    /// # Errors
    /// Where it fails.
    pub fn whole_page(&self, page: &Page) -> Result<Vec<Word>, TesseractError> {
        let clip = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let pieces = self.pieces(&Picture::new(page, &clip), "eng+sin+tam", PAGE)?;
        Ok(pieces.into_iter().flatten().map(|placed| placed.word).collect())
    }

    /// One reading of a picture.
    fn recognise(
        &self,
        picture: &Picture,
        languages: &str,
        segmentation: &str,
    ) -> Result<Option<ClipText>, TesseractError> {
        Ok(assemble(self.pieces(picture, languages, segmentation)?, ReaderName::Tesseract))
    }

    /// The words of a picture, line by line.
    fn pieces(
        &self,
        picture: &Picture,
        languages: &str,
        segmentation: &str,
    ) -> Result<Vec<Vec<Placed>>, TesseractError> {
        let arguments = [
            "stdin",
            "stdout",
            "--dpi",
            &picture.dpi,
            "--psm",
            segmentation,
            "-l",
            languages,
            "-c",
            "tessedit_create_tsv=1",
        ];
        let answer = self.ask(&arguments, &picture.bytes)?;
        Ok(parse(&String::from_utf8_lossy(&answer.output), picture))
    }
}

impl Reader for Tesseract {
    fn read(&self, page: &Page, clip: &Clip) -> Result<Option<ClipText>, ReadError> {
        let picture = Picture::new(page, clip);
        let mut best = self.recognise(&picture, "eng", COLUMN)?;
        let mut languages = "eng";
        let other =
            best.as_ref().is_none_or(|text| text.confidence < DOUBTFUL && !trust::is_english(&text.text()));
        if other {
            for candidate in ["sin+eng", "tam+eng"] {
                let text = self.recognise(&picture, candidate, COLUMN)?;
                if weight(text.as_ref()) > weight(best.as_ref()) {
                    (best, languages) = (text, candidate);
                }
            }
        }
        if best.as_ref().is_none_or(|text| text.confidence < LOW) {
            let block = self.recognise(&picture, languages, BLOCK)?;
            if weight(best.as_ref()) < CLEARLY_BETTER * weight(block.as_ref()) {
                best = block;
            }
        }
        Ok(best)
    }
}

/// How much was read and how surely: the sum of the confidence of the letters.
fn weight(text: Option<&ClipText>) -> f64 {
    let words = text.into_iter().flat_map(ClipText::words);
    words.map(|word| word.text.chars().count() as f64 * word.confidence).sum()
}

/// What tesseract is given, and the way back from its pixels to the page.
struct Picture<'a> {
    clip: &'a Clip,
    /// The clip's size in pixels, without the margin.
    size: (u32, u32),
    dpi: String,
    /// A PGM file.
    bytes: Vec<u8>,
}

impl<'a> Picture<'a> {
    fn new(page: &Page, clip: &'a Clip) -> Self {
        let mut image = clip.image(page);
        stretch(&mut image);
        let size = image.dimensions();
        let (width, height) = (size.0 + 2 * MARGIN, size.1 + 2 * MARGIN);
        let mut framed = GrayImage::from_pixel(width, height, Luma([255]));
        image::imageops::replace(&mut framed, &image, i64::from(MARGIN), i64::from(MARGIN));
        let mut bytes = format!("P5\n{width} {height}\n255\n").into_bytes();
        bytes.extend_from_slice(framed.as_raw());
        Self { clip, size, dpi: format!("{:.0}", page.dpi.clamp(70.0, 1200.0)), bytes }
    }

    /// The part of the page under a box of the picture.
    fn area(&self, [left, top, width, height]: [f64; 4]) -> [f64; 4] {
        let (columns, rows, margin) = (f64::from(self.size.0), f64::from(self.size.1), f64::from(MARGIN));
        self.clip.on_page([(left - margin) / columns, (top - margin) / rows, width / columns, height / rows])
    }
}

/// Stretches the brightness so that ink is black and paper is white.
fn stretch(image: &mut GrayImage) {
    let mut counts = [0_usize; 256];
    image.as_raw().iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
    let total: usize = counts.iter().sum();
    let at = |part: f64| {
        let mut seen = 0;
        let wanted = (total as f64 * part) as usize;
        counts
            .iter()
            .position(|count| {
                seen += count;
                seen > wanted
            })
            .unwrap_or(255) as f64
    };
    let (black, white) = (at(0.02), at(0.60));
    if white - black < 32.0 {
        return;
    }
    for pixel in image.iter_mut() {
        *pixel = ((f64::from(*pixel) - black) * 255.0 / (white - black)).clamp(0.0, 255.0) as u8;
    }
}

/// The words of tesseract's table (level, page, block, paragraph, line, word, left, top, width, height, confidence, text),
/// line by line. What does not fit that form is passed over.
fn parse(table: &str, picture: &Picture<'_>) -> Vec<Vec<Placed>> {
    let mut pieces: Vec<(String, Vec<Placed>)> = Vec::new();
    for row in table.lines() {
        let fields: Vec<&str> = row.splitn(12, '\t').collect();
        let [level, page, block, paragraph, line, _, left, top, width, height, confidence, text] = fields[..]
        else {
            continue;
        };
        let numbers =
            [left, top, width, height, confidence].map(|field| field.parse::<f64>().unwrap_or(f64::NAN));
        let [left, top, width, height, confidence] = numbers;
        let (text, confidence) = (text.trim(), confidence / 100.0);
        if level != "5"
            || text.is_empty()
            || numbers.iter().any(|number| !number.is_finite())
            || is_noise(text, confidence)
        {
            continue;
        }
        let word = Word {
            text: mended(text),
            area: picture.area([left, top, width, height]),
            confidence: confidence.clamp(0.0, 1.0),
        };
        let placed = Placed { word, place: [left, top, left + width, top + height] };
        let key = [page, block, paragraph, line].join(" ");
        match pieces.last_mut() {
            Some((last, words)) if *last == key => words.push(placed),
            _ => pieces.push((key, vec![placed])),
        }
    }
    pieces.into_iter().map(|(_, words)| words).collect()
}

/// A word without what tesseract is known to get wrong: a joiner that nobody printed after each Sinhala and Tamil virama,
/// and a bar for the letter l.
fn mended(text: &str) -> String {
    let text: String = text.chars().filter(|letter| *letter != '\u{200C}').collect();
    if text.contains('|') && text.chars().any(|letter| letter.is_ascii_lowercase()) {
        text.replace('|', "l")
    } else {
        text
    }
}

/// Whether a word is a rule, a logo or a stain that was taken for letters.
fn is_noise(text: &str, confidence: f64) -> bool {
    let says = text.chars().filter(|letter| letter.is_alphanumeric()).count();
    says == 0
        && (confidence < 0.6
            || text.chars().all(|letter| matches!(letter, '|' | '_' | '—' | '~' | '[' | ']')))
        || says <= 2 && confidence < NOISE
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

    #[test]
    fn rubbish_instead_of_a_table_says_nothing() {
        let page =
            Page { number: 1, image: GrayImage::new(50, 50), dpi: 300.0, layer: None, hash: String::new() };
        let clip = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let picture = Picture::new(&page, &clip);
        let table = "level\tpage\nnothing\n5\t1\t1\t1\t1\t1\tx\t0\t1\t1\t90\tword\n5\t1\t1\t1\t1\t1\t1\t1\t4\t4\t90\tright\n";
        let pieces = parse(table, &picture);
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0][0].word.text, "right");
    }
}
