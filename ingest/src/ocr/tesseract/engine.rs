//! Runs Tesseract as a subprocess with limits. A crash or a hang affects one page, not the batch.

use super::{
    clip_image::{self, ClipImage, ClipRows},
    tsv,
};
use crate::base::Word;
use crate::command::{self, Bounds, CommandError, CommandOutput};
use crate::layout::Clip;
use crate::ocr::{error::OcrError, placed_word::PlacedWord};
use crate::page::Page;
use rayon::prelude::*;
use std::time::Duration;
use tender_model::vocabulary::Language;

/// The limits for one image. Most clips take a second and 100 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(180),
    cpu_time: Duration::from_secs(180),
    memory: 2 << 30,
    output: 16 << 20,
};
/// The largest number of images per process. With so many images, the start-up cost no longer
/// matters.
const MAX_IMAGES_PER_PROCESS: usize = 32;
/// The smallest number of images per process, except for the last process.
const MIN_IMAGES_PER_PROCESS: usize = 3;
/// Page segmentation mode: a page with automatic layout.
pub(super) const PAGE_SEGMENTATION: &str = "3";
/// Page segmentation mode: a column of text of several sizes.
pub(super) const COLUMN_SEGMENTATION: &str = "4";
/// Page segmentation mode: a single uniform block.
pub(super) const BLOCK_SEGMENTATION: &str = "6";
/// The languages, their names in Tesseract and their Debian packages.
const LANGUAGES: [(Language, &str, &str); 3] = [
    (Language::English, "eng", "tesseract-ocr-eng"),
    (Language::Sinhala, "sin", "tesseract-ocr-sin"),
    (Language::Tamil, "tam", "tesseract-ocr-tam"),
];

/// The Tesseract program.
#[derive(Debug, Clone)]
pub struct Tesseract {
    program: String,
    bounds: Bounds,
}

impl Tesseract {
    /// Finds Tesseract and its languages.
    ///
    /// # Errors
    /// If Tesseract or a language is missing.
    pub fn new() -> Result<Self, OcrError> {
        Self::with_program("tesseract")
    }

    /// Finds Tesseract under another name or path, and its languages.
    ///
    /// # Errors
    /// If the program or a language is missing.
    pub fn with_program(program: &str) -> Result<Self, OcrError> {
        let tesseract = Self { program: program.to_owned(), bounds: BOUNDS };
        let answer = tesseract.run_successfully(&["--list-langs"], &[], 1)?;
        check_languages(&String::from_utf8_lossy(&answer.output))?;
        Ok(tesseract)
    }

    /// Sets the limit of wall time per image. A lower limit of CPU time is raised to the same
    /// value.
    #[must_use]
    pub fn with_time_limit(self, time: Duration) -> Self {
        let cpu_time = self.bounds.cpu_time.max(time);
        Self { bounds: Bounds { time, cpu_time, ..self.bounds }, ..self }
    }

    /// Runs Tesseract on `image_count` images. A failing exit status is an error.
    pub(super) fn run_successfully(
        &self,
        arguments: &[&str],
        input: &[u8],
        image_count: usize,
    ) -> Result<CommandOutput, OcrError> {
        match self.run(arguments, input, image_count)? {
            answer if answer.status.success() => Ok(answer),
            answer => Err(OcrError::Failed(
                answer.error_output.lines().last().unwrap_or("it gave no reason").to_owned(),
            )),
        }
    }

    /// Runs Tesseract on `image_count` images. The time limits are multiplied by this number.
    pub(super) fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        image_count: usize,
    ) -> Result<CommandOutput, OcrError> {
        let mut program = command::program(&self.program);
        // One thread per process: clips are read in parallel, and more threads only compete.
        program.args(arguments).env("OMP_THREAD_LIMIT", "1");
        let count = u32::try_from(image_count.max(1)).unwrap_or(u32::MAX);
        let Bounds { time, cpu_time, .. } = self.bounds;
        let [time, cpu_time] = [time, cpu_time].map(|bound| bound.saturating_mul(count));
        command::run(&mut program, input, Bounds { time, cpu_time, ..self.bounds }).map_err(|error| {
            match error {
                CommandError::Missing => OcrError::Missing,
                error => OcrError::Failed(error.to_string()),
            }
        })
    }

    /// Reads the words of a whole page in all languages, with the layout analysis of Tesseract.
    /// The words are the baseline for evaluation.
    pub fn read_whole_page(&self, page: &Page) -> Result<Vec<Word>, OcrError> {
        let clip = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let mode = OcrMode { languages: "eng+sin+tam", segmentation: PAGE_SEGMENTATION };
        let picture = ClipImage::new(page, &clip);
        let whole = ClipRows { picture: 0, rows: 0..picture.height() };
        let lines = self.read_lines(&[picture], &[whole], mode)?;
        Ok(lines.into_iter().flatten().flatten().map(|placed| placed.word).collect())
    }

    /// Reads the lines of each image part, in parallel on the current thread pool. A process reads
    /// several parts, because starting a process takes as long as reading ten lines.
    pub(super) fn read_lines(
        &self,
        pictures: &[ClipImage<'_>],
        parts: &[ClipRows],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, OcrError> {
        let share = parts
            .len()
            .div_ceil(rayon::current_num_threads())
            .clamp(MIN_IMAGES_PER_PROCESS, MAX_IMAGES_PER_PROCESS);
        let read: Result<Vec<_>, _> =
            parts.par_chunks(share).map(|parts| self.read_parts(pictures, parts, mode)).collect();
        Ok(read?.into_iter().flatten().collect())
    }

    /// Reads parts with one process.
    fn read_parts(
        &self,
        pictures: &[ClipImage<'_>],
        parts: &[ClipRows],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, OcrError> {
        let Some(first) = parts.first() else { return Ok(Vec::new()) };
        let dpi = pictures[first.picture].dpi.to_string();
        let arguments = ["stdin", "stdout", "--dpi", &dpi, "--psm", mode.segmentation, "-l", mode.languages];
        // White-on-black bands are inverted beforehand, and newspapers have no typewritten text.
        // The detection of both is switched off.
        let settings = ["tessedit_create_tsv=1", "invert_threshold=0", "textord_all_prop=1"];
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["-c", setting]).collect();
        let bytes = clip_image::tiff(pictures, parts).map_err(|error| OcrError::Failed(error.to_string()))?;
        let answer = self.run_successfully(&[&arguments[..], &settings[..]].concat(), &bytes, parts.len())?;
        Ok(tsv::parse(&String::from_utf8_lossy(&answer.output), pictures, parts))
    }
}

/// The languages and the page segmentation mode of a Tesseract run.
#[derive(Debug, Clone, Copy)]
pub(super) struct OcrMode {
    pub(super) languages: &'static str,
    pub(super) segmentation: &'static str,
}

/// Checks that the output of `tesseract --list-langs` contains all languages.
fn check_languages(answer: &str) -> Result<(), OcrError> {
    for (language, name, package) in LANGUAGES {
        if !answer.lines().any(|line| line.trim() == name) {
            return Err(OcrError::MissingLanguage { language, package });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_missing_program_or_language_names_the_package() {
        let missing = Tesseract::with_program("no-such-tesseract").unwrap_err();
        assert!(missing.to_string().contains("apt-get install tesseract-ocr"), "{missing}");
        let missing = check_languages("List of available languages (2):\neng\ntam\n").unwrap_err();
        assert!(missing.to_string().contains("tesseract-ocr-sin"), "{missing}");
        assert!(check_languages("eng\nosd\nsin\ntam").is_ok());
    }
}
