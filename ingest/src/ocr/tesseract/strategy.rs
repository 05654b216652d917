//! Decides how much of each clip is read, and in which language.
//!
//! A sample of clips of medium height gives the language of the page. The other clips are read in
//! this language, and in other languages if the text makes no sense. In Sinhala and Tamil, only
//! the beginning of a clip is read at first, and the rest once the language is found. The middle
//! of a large clip without a frame is skipped if its beginning and end have no cue of a notice.
//!
//! Missed lines are then read one by one, and doubtful clips again as a single block. Finally, the
//! built-in recogniser cross-checks the text, numbers are voted on, and unknown Sinhala and Tamil
//! words are corrected.

use super::{
    Tesseract,
    clip_image::{ClipImage, ClipRows},
    clip_reading::{ClipReading, ENGLISH},
    correction, cross_check,
    engine::{BLOCK_SEGMENTATION, COLUMN_SEGMENTATION, OcrMode},
    number_vote,
    row_profile::RowProfile,
};
use crate::{
    layout::Clip,
    ocr::{
        AGREED, ClipText, OcrError, PageOrientation, ReadError, ReadOutcome, Reader, placed_word::PlacedWord,
    },
    page::Page,
};
use rayon::prelude::*;
use std::ops::Range;

/// A clip below this confidence is read again as a single block.
const REREAD_BELOW: f64 = 0.80;
/// A Sinhala clip below this confidence is read again as a single block. Sinhala rarely exceeds
/// [`REREAD_BELOW`].
const REREAD_BELOW_SINHALA: f64 = 0.70;
/// A second reading replaces the first reading if the weight of the first is less than this
/// fraction of the weight of the second. See [`ClipReading::weight`].
const CLEARLY_BETTER: f64 = 0.97;
/// The lowest confidence of a word in a missed line.
const MIN_WORD_CONFIDENCE: f64 = 0.60;
/// The fewest letters and digits of a missed line. Fewer are a mark or an emblem.
const MIN_LETTERS: usize = 4;
/// The number of clips in the sample of a page, and how many of them decide. If so many make no
/// sense in English, other languages are tried. If so many are readable, the page is upright.
const SAMPLE: (usize, usize) = (5, 2);
/// The highest confidence of a worn clip, in which OCR is certain of some wrong letters.
const MAX_WORN_CONFIDENCE: f64 = 0.6;
/// An English number with less confidence is voted on.
const VOTE_BELOW: f64 = 0.7;
/// The Tesseract languages for a Sinhala clip and for a Tamil clip.
const OTHER_LANGUAGES: [&str; 2] = ["sin+eng", "tam+eng"];

/// Reads the clips of a page.
fn read(
    tesseract: &Tesseract,
    page: &Page,
    clips: &[&Clip],
    orientation: PageOrientation,
) -> Result<ReadOutcome, OcrError> {
    let pictures: Vec<ClipImage<'_>> = clips.par_iter().map(|clip| ClipImage::new(page, clip)).collect();
    let ink: Vec<RowProfile> = pictures.par_iter().map(RowProfile::of).collect();
    let readings =
        pictures.iter().zip(&ink).map(|(picture, rows)| ClipReading::planned(picture, rows)).collect();
    let mut reader = PageReader { tesseract, pictures, ink, readings };
    let sample = reader.read_sample()?;
    if orientation == PageOrientation::Unknown && !sample.makes_sense {
        let turn = tesseract.detect_orientation(page)?.filter(|quarters| *quarters > 0);
        if let Some(quarters) = turn {
            return Ok(ReadOutcome::Turn(quarters));
        }
    }
    reader.read_beginnings(&sample)?;
    reader.read_rest()?;
    reader.read_missed_lines()?;
    reader.reread_doubtful()?;
    reader.cross_check()?;
    reader.vote_on_numbers()?;
    Ok(ReadOutcome::Texts(reader.texts()))
}

impl Reader for Tesseract {
    fn read(
        &self,
        page: &Page,
        clips: &[&Clip],
        orientation: PageOrientation,
    ) -> Result<ReadOutcome, ReadError> {
        Ok(read(self, page, clips, orientation)?)
    }
}

/// The result of reading a sample of the clips.
struct LanguageSample {
    /// The clips outside the sample.
    others: Vec<usize>,
    /// The language of the page, if it is not English.
    language: Option<&'static str>,
    /// Whether enough clips are readable in any language. On a rotated page they are not.
    makes_sense: bool,
}

/// The clips of a page while they are read.
struct PageReader<'p> {
    tesseract: &'p Tesseract,
    pictures: Vec<ClipImage<'p>>,
    ink: Vec<RowProfile>,
    readings: Vec<ClipReading>,
}

impl PageReader<'_> {
    /// The indices of the clips that pass a test.
    fn indices_where(&self, test: impl Fn(&ClipReading) -> bool) -> Vec<usize> {
        (0..self.readings.len()).filter(|at| test(&self.readings[*at])).collect()
    }

    /// Reads the given rows of clips. Returns the lines of each clip.
    fn read_rows(
        &self,
        rows: &[(usize, Vec<Range<u32>>)],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, OcrError> {
        let parts = rows.iter().flat_map(|(picture, rows)| {
            rows.iter().map(|rows| ClipRows { picture: *picture, rows: rows.clone() })
        });
        let mut lines =
            self.tesseract.read_lines(&self.pictures, &parts.collect::<Vec<_>>(), mode)?.into_iter();
        Ok(rows.iter().map(|(_, rows)| lines.by_ref().take(rows.len()).flatten().collect()).collect())
    }

    /// Reads the chosen clips again. A new reading replaces the old reading if the weight of the
    /// old reading is less than `enough` times the weight of the new reading.
    fn reread(&mut self, chosen: &[usize], mode: OcrMode, enough: f64) -> Result<(), OcrError> {
        let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].rows.clone())).collect();
        for (at, lines) in chosen.iter().zip(self.read_rows(&rows, mode)?) {
            let reading = &mut self.readings[*at];
            if ClipReading::weight(&reading.lines) < enough * ClipReading::weight(&lines) {
                reading.set_lines(lines);
                reading.languages = mode.languages;
            }
        }
        Ok(())
    }

    /// Reads a sample of clips of medium height. If several of them make no sense in English, the
    /// language of the page is the other language in which most of them make sense.
    fn read_sample(&mut self) -> Result<LanguageSample, OcrError> {
        let mut by_height = self.indices_where(|_| true);
        by_height.sort_by_key(|at| self.pictures[*at].height());
        let (before, others) = by_height.split_at(by_height.len().saturating_sub(SAMPLE.0) / 2);
        let (sample, after) = others.split_at(SAMPLE.0.min(others.len()));
        self.try_in(ENGLISH, sample)?;
        let without_sense = sample.iter().filter(|at| !self.readings[**at].makes_sense()).count();
        if without_sense >= SAMPLE.1 {
            self.try_other_languages(sample)?;
        }
        let language = self.other_language().filter(|_| without_sense >= SAMPLE.1);
        let sensible = sample.iter().filter(|at| self.readings[**at].is_certainly_readable()).count();
        Ok(LanguageSample { others: [before, after].concat(), language, makes_sense: sensible >= SAMPLE.1 })
    }

    /// Reads the clips outside the sample. If the page is not in English, their beginnings are
    /// read in the language of the page first.
    fn read_beginnings(
        &mut self,
        LanguageSample { others, language, .. }: &LanguageSample,
    ) -> Result<(), OcrError> {
        if let Some(language) = language {
            others
                .iter()
                .for_each(|at| self.readings[*at].keep_beginning(&self.pictures[*at], &self.ink[*at]));
            self.try_in(language, others)?;
        }
        self.try_in(ENGLISH, others)?;
        self.try_other_languages(&self.indices_where(|_| true))
    }

    /// Reads those clips of `among` in `languages` that make no sense yet and that were not read
    /// in these languages before.
    fn try_in(&mut self, languages: &'static str, among: &[usize]) -> Result<(), OcrError> {
        let is_open = |at: &usize| {
            let reading = &self.readings[*at];
            !reading.makes_sense() && !reading.tried.contains(&languages)
        };
        let open: Vec<usize> = among.iter().copied().filter(is_open).collect();
        open.iter().for_each(|at| self.readings[*at].tried.push(languages));
        self.reread(&open, OcrMode { languages, segmentation: COLUMN_SEGMENTATION }, 1.0)
    }

    /// The language other than English in which most clips made sense so far.
    fn other_language(&self) -> Option<&'static str> {
        let clips = |languages: &str| {
            self.indices_where(|reading| reading.languages == languages && reading.makes_sense()).len()
        };
        OTHER_LANGUAGES
            .into_iter()
            .filter(|languages| clips(languages) > 0)
            .max_by_key(|languages| clips(languages))
    }

    /// Tries Sinhala and Tamil on the beginnings of those clips of `among` that make no sense yet.
    /// A clip whose reading did not improve gets its previous reading back.
    fn try_other_languages(&mut self, among: &[usize]) -> Result<(), OcrError> {
        let is_foreign = |at: &usize| {
            !self.readings[*at].makes_sense()
                && OTHER_LANGUAGES.into_iter().any(|languages| !self.readings[*at].tried.contains(&languages))
        };
        let foreign: Vec<usize> = among.iter().copied().filter(is_foreign).collect();
        let before: Vec<ClipReading> = foreign.iter().map(|at| self.readings[*at].clone()).collect();
        foreign.iter().for_each(|at| self.readings[*at].keep_beginning(&self.pictures[*at], &self.ink[*at]));
        // A page is mostly in one language. The first clip shows which language to try first.
        if let (None, Some(probe)) = (self.other_language(), foreign.first()) {
            for languages in OTHER_LANGUAGES {
                self.try_in(languages, &[*probe])?;
            }
        }
        let mut order = OTHER_LANGUAGES;
        order.sort_by_key(|languages| self.other_language() != Some(languages));
        for languages in order {
            self.try_in(languages, &foreign)?;
        }
        for (at, before) in foreign.into_iter().zip(before) {
            if self.readings[at].languages == before.languages {
                self.readings[at] = ClipReading {
                    tried: Vec::from([ENGLISH, OTHER_LANGUAGES[0], OTHER_LANGUAGES[1]]),
                    ..before
                };
            }
        }
        Ok(())
    }

    /// Reads the rows that were left for later, except in large clips that are not notices.
    fn read_rest(&mut self) -> Result<(), OcrError> {
        for languages in [ENGLISH, OTHER_LANGUAGES[0], OTHER_LANGUAGES[1]] {
            let chosen = self.indices_where(|reading| reading.languages == languages && !reading.is_done());
            let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].left.clone())).collect();
            for (at, lines) in chosen
                .iter()
                .zip(self.read_rows(&rows, OcrMode { languages, segmentation: COLUMN_SEGMENTATION })?)
            {
                let reading = &mut self.readings[*at];
                let left = std::mem::take(&mut reading.left);
                reading.rows.extend(left);
                reading.add_lines(lines);
            }
        }
        // An English heading may stand above text in another language.
        self.try_other_languages(&self.indices_where(|_| true))
    }

    /// The corrected texts of the clips. The confidence of a worn clip is limited to
    /// [`MAX_WORN_CONFIDENCE`].
    fn texts(self) -> Vec<Option<ClipText>> {
        let texts = self.readings.into_iter().zip(&self.pictures).map(|(reading, picture)| {
            let most = if picture.is_worn { MAX_WORN_CONFIDENCE } else { 1.0 };
            let text = reading.text.map(correction::correct);
            text.map(|text| ClipText { confidence: text.confidence.min(most), ..text })
        });
        texts.collect()
    }

    /// Reads missed lines, each by itself.
    fn read_missed_lines(&mut self) -> Result<(), OcrError> {
        for languages in [ENGLISH, OTHER_LANGUAGES[0], OTHER_LANGUAGES[1]] {
            let chosen =
                self.indices_where(|reading| reading.languages == languages && reading.left.is_empty());
            let rows: Vec<_> = chosen
                .iter()
                .map(|at| (*at, self.ink[*at].missed_lines(&self.readings[*at].lines)))
                .collect();
            let rows: Vec<_> = rows.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
            let lines = self.read_rows(&rows, OcrMode { languages, segmentation: BLOCK_SEGMENTATION })?;
            for ((at, _), mut lines) in rows.iter().zip(lines) {
                lines
                    .iter_mut()
                    .for_each(|line| line.retain(|placed| placed.word.confidence >= MIN_WORD_CONFIDENCE));
                lines.retain(|line| {
                    let letters = line.iter().flat_map(|placed| placed.word.text.chars());
                    letters.filter(|letter| letter.is_alphanumeric()).count() >= MIN_LETTERS
                });
                self.readings[*at].add_lines(lines);
            }
        }
        Ok(())
    }

    /// Reads doubtful clips again as a single block.
    fn reread_doubtful(&mut self) -> Result<(), OcrError> {
        for (languages, low) in [
            (ENGLISH, REREAD_BELOW),
            (OTHER_LANGUAGES[0], REREAD_BELOW_SINHALA),
            (OTHER_LANGUAGES[1], REREAD_BELOW),
        ] {
            let is_doubtful = |reading: &ClipReading| {
                reading.languages == languages && reading.is_below(low) && reading.left.is_empty()
            };
            let doubtful = self.indices_where(is_doubtful);
            for at in &doubtful {
                self.readings[*at].plan_whole(&self.pictures[*at]);
            }
            self.reread(&doubtful, OcrMode { languages, segmentation: BLOCK_SEGMENTATION }, CLEARLY_BETTER)?;
        }
        Ok(())
    }

    /// Cross-checks clips that may be notices with the built-in recogniser: Sinhala and Tamil
    /// clips, and the uncertain lines of English clips. The confidence of other Sinhala and Tamil
    /// clips is limited.
    fn cross_check(&mut self) -> Result<(), OcrError> {
        let chosen = self.indices_where(|reading| {
            reading.left.is_empty() && reading.may_be_notice() && reading.has_number()
        });
        let pictures: Vec<&ClipImage<'_>> = chosen.iter().map(|at| &self.pictures[*at]).collect();
        let read = cross_check::read_lines(&pictures, |nth, line| {
            let reading = &self.readings[chosen[nth]];
            reading.languages != ENGLISH || cross_check::has_uncertain_word(&reading.lines, line)
        })?;
        let is_other = |reading: &ClipReading| reading.languages != ENGLISH;
        for at in self.indices_where(is_other).into_iter().filter(|at| !chosen.contains(at)) {
            let mut lines = std::mem::take(&mut self.readings[at].lines);
            cross_check::cap_confidence(&mut lines);
            self.readings[at].set_lines(lines);
        }
        for (at, second) in chosen.iter().zip(read) {
            let reading = &mut self.readings[*at];
            let mut lines = std::mem::take(&mut reading.lines);
            if reading.languages == ENGLISH {
                cross_check::confirm_uncertain_words(&mut lines, &second);
                reading.both.other = second;
            } else {
                reading.both = cross_check::merge_readings(lines, second);
                lines = std::mem::take(&mut reading.both.kept);
            }
            reading.set_lines(lines);
        }
        Ok(())
    }

    /// Reads lines with uncertain numbers again in a larger size and votes on these numbers. In
    /// English, numbers with low confidence are uncertain. In Sinhala and Tamil, so are all
    /// numbers that the recognisers did not read alike.
    fn vote_on_numbers(&mut self) -> Result<(), OcrError> {
        for languages in [ENGLISH, OTHER_LANGUAGES[0], OTHER_LANGUAGES[1]] {
            let below = if languages == ENGLISH { VOTE_BELOW } else { AGREED };
            let chosen = self.indices_where(|reading| {
                reading.languages == languages && reading.left.is_empty() && reading.may_be_notice()
            });
            let rows = |at: &usize| {
                number_vote::rows_to_vote(&self.readings[*at].lines, below, self.pictures[*at].height())
            };
            let rows: Vec<_> =
                chosen.iter().map(|at| (*at, rows(at))).filter(|(_, rows)| !rows.is_empty()).collect();
            let larger = self.read_rows_resized(
                &rows,
                number_vote::THIRD_READING_SCALE,
                OcrMode { languages, segmentation: COLUMN_SEGMENTATION },
            )?;
            for ((at, _), larger) in rows.iter().zip(larger) {
                let reading = &mut self.readings[*at];
                let mut lines = std::mem::take(&mut reading.lines);
                number_vote::vote_on_numbers(&mut lines, below, &reading.both, &larger);
                reading.set_lines(lines);
            }
        }
        Ok(())
    }

    /// Reads the given rows of clips, scaled by the factor `times`. Returns the lines of each
    /// clip in pixels of the original clip.
    fn read_rows_resized(
        &self,
        rows: &[(usize, Vec<Range<u32>>)],
        times: f64,
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, OcrError> {
        let pictures: Vec<ClipImage<'_>> =
            rows.par_iter().map(|(at, _)| self.pictures[*at].resized(times)).collect();
        let of = |edge: u32| (f64::from(edge) * times).round() as u32;
        let parts = rows.iter().enumerate().flat_map(|(picture, (_, rows))| {
            rows.iter().map(move |rows| ClipRows { picture, rows: of(rows.start)..of(rows.end) })
        });
        let mut lines = self.tesseract.read_lines(&pictures, &parts.collect::<Vec<_>>(), mode)?.into_iter();
        let of_clip = |rows: &[Range<u32>]| {
            let mut lines: Vec<Vec<PlacedWord>> = lines.by_ref().take(rows.len()).flatten().collect();
            let places = lines.iter_mut().flatten().flat_map(|placed| &mut placed.place);
            places.for_each(|edge| *edge /= times);
            lines
        };
        Ok(rows.iter().map(|(_, rows)| rows.as_slice()).map(of_clip).collect())
    }
}
