//! How far and in which language each clip of a page is read. The tallest clips tell the page's language; the beginning of each of the others is
//! read in that, and in the other languages where it makes no sense; then the rest in the language that made sense, unless the clip is a large block
//! without a word of a notice.
//! Then lines that were left out are read one by one, and what is doubtful once more as one even block. At last, numbers are
//! proof-read, and words of Sinhala and Tamil that are none are mended.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "what is read of a picture is a list of ranges of rows, often of one"
)]

use super::{
    Tesseract,
    clip_image::{ClipImage, ClipRows},
    correction,
    cross_check::{self, ReadingPair},
    engine::{BLOCK, COLUMN, OcrMode},
    number_vote,
    row_profile::RowProfile,
};
use crate::{
    layout::Clip,
    ocr::{
        AGREED, ClipText, PageOrientation, ReadError, ReadOutcome, Reader, ReaderName, TesseractError,
        line_assembly::assemble, placed_word::PlacedWord, relevance,
    },
    page::Page,
};
use index::vocabulary::Language;
use rayon::prelude::*;
use std::ops::Range;

/// English read with less confidence than this, and without its common words, is another language.
const DOUBTFUL: f64 = 0.70;
/// A clip read with less confidence than this is read a second time, as one even block.
const LOW: f64 = 0.80;
/// The same in Sinhala, which is hardly ever read with more than [`LOW`].
const LOW_SINHALA: f64 = 0.70;
/// What is read in a script that is not its own comes out with less confidence than this.
const RIGHT_SCRIPT: f64 = 0.60;
/// The second reading is taken only where it is better than the first by this.
const CLEARLY_BETTER: f64 = 0.97;
/// A word of a line that was left out is believed from this confidence.
const BELIEVED: f64 = 0.60;
/// A line that was left out has at least so many letters and digits: less is a mark or an emblem.
const FEWEST_LETTERS: usize = 4;
/// Fewer words than these say nothing of the page.
const FEW_WORDS: usize = 8;
/// So many clips tell a page's language, and so many of them that it is not English.
const SAMPLE: (usize, usize) = (5, 2);
/// Where a clip's beginning ends, in millimetres: eight lines or so.
const BEGINNING: (f64, f64) = (20.0, 36.0);
/// A clip no higher than this, in millimetres, is read at once.
const AT_ONCE: f64 = 50.0;
/// A clip without a frame that is higher than this, in millimetres, may be news: its beginning and its end tell.
const LARGE: f64 = 90.0;
/// How sure the words of a worn clip are at most: some of its letters are wrong of which recognition is sure.
const WORN: f64 = 0.6;
/// A date, a sum or a telephone number has at least so many digits.
const LONG_NUMBER: usize = 3;
/// A number in English that is read less surely than this is proof-read.
const HARD_TO_READ: f64 = 0.7;
/// The ways of reading a column, as the languages come into question.
const ENGLISH: &str = "eng";
const OTHERS: [&str; 2] = ["sin+eng", "tam+eng"];

/// What each of these clips says.
fn read(
    tesseract: &Tesseract,
    page: &Page,
    clips: &[&Clip],
    stance: PageOrientation,
) -> Result<ReadOutcome, TesseractError> {
    let pictures: Vec<ClipImage<'_>> = clips.par_iter().map(|clip| ClipImage::new(page, clip)).collect();
    let ink: Vec<RowProfile> = pictures.par_iter().map(RowProfile::of).collect();
    let readings =
        pictures.iter().zip(&ink).map(|(picture, rows)| ClipReading::planned(picture, rows)).collect();
    let mut reader = PageReader { tesseract, pictures, ink, readings };
    let sample = reader.sample()?;
    if stance == PageOrientation::Unknown && !sample.makes_sense {
        let turn = tesseract.orientation(page)?.filter(|quarters| *quarters > 0);
        if let Some(quarters) = turn {
            return Ok(ReadOutcome::Turn(quarters));
        }
    }
    reader.beginnings(&sample)?;
    reader.rest()?;
    reader.lines_left_out()?;
    reader.doubtful_as_blocks()?;
    reader.cross_check()?;
    reader.vote_on_numbers()?;
    Ok(ReadOutcome::Texts(reader.texts()))
}

impl Reader for Tesseract {
    fn read(&self, page: &Page, clips: &[&Clip], stance: PageOrientation) -> Result<ReadOutcome, ReadError> {
        Ok(read(self, page, clips, stance)?)
    }
}

/// How far a clip is read.
#[derive(Debug, Clone)]
struct ClipReading {
    /// The rows that are read, or are to be read first.
    rows: Vec<Range<u32>>,
    /// The rows that are left for later.
    left: Vec<Range<u32>>,
    /// Whether the rest is read only where the beginning may be a notice's.
    is_glance: bool,
    languages: &'static str,
    /// In which languages it was tried.
    tried: Vec<&'static str>,
    lines: Vec<Vec<PlacedWord>>,
    /// What the built-in recogniser and tesseract read, where both did.
    both: ReadingPair,
    text: Option<ClipText>,
}

impl ClipReading {
    fn planned(picture: &ClipImage<'_>, rows: &RowProfile) -> Self {
        let height = picture.height();
        let at = |millimetres: f64| picture.pixels(millimetres);
        let planned = |rows, left, is_glance| Self {
            rows,
            left,
            is_glance,
            languages: ENGLISH,
            tried: Vec::new(),
            lines: Vec::new(),
            both: ReadingPair::default(),
            text: None,
        };
        let end = || rows.cut(height.saturating_sub(at(BEGINNING.1))..height.saturating_sub(at(BEGINNING.0)));
        let may_be_news = !picture.is_framed() && height > at(LARGE);
        match may_be_news.then(|| beginning(picture, rows).zip(end())).flatten() {
            None => planned(vec![0..height], Vec::new(), false),
            Some((first, last)) => planned(vec![0..first, last..height], vec![first..last], true),
        }
    }

    /// Leaves all but its beginning for later, read or not.
    fn begin(&mut self, picture: &ClipImage<'_>, rows: &RowProfile) {
        let height = picture.height();
        if let (Some(first), [_], []) = (beginning(picture, rows), &self.rows[..], &self.left[..]) {
            (self.rows, self.left) = (vec![0..first], vec![first..height]);
            let mut lines = std::mem::take(&mut self.lines);
            lines.retain(|line| line.iter().all(|placed| placed.place[1] < f64::from(first)));
            self.set(lines);
        }
    }

    fn is_below(&self, confidence: f64) -> bool {
        self.text.as_ref().is_none_or(|text| text.confidence < confidence)
    }

    /// Whether it makes sense in the language that it was read in: letters of another script are read with less confidence.
    fn is_settled(&self) -> bool {
        self.text.as_ref().is_some_and(|text| match text.language {
            Language::English => text.confidence >= DOUBTFUL || pdf_text::plausible::is_english(&text.text()),
            Language::Sinhala | Language::Tamil => text.confidence >= RIGHT_SCRIPT,
        })
    }

    /// Whether it is surely text.
    fn makes_sense(&self) -> bool {
        let is_said = |text: &ClipText| {
            let least = if text.language == Language::English { DOUBTFUL } else { RIGHT_SCRIPT };
            text.confidence >= least && text.words().count() >= FEW_WORDS
        };
        self.text.as_ref().is_some_and(is_said)
    }

    /// Whether the rest of it is not worth reading.
    fn is_done(&self) -> bool {
        self.left.is_empty()
            || self.is_glance && self.text.as_ref().is_some_and(|text| !relevance::may_be_notice(text))
    }

    /// Whether it holds a date, a sum or a telephone number, as every notice does and most news does not.
    fn has_number(&self) -> bool {
        let is_long = |word: &str| word.chars().filter(char::is_ascii_digit).count() >= LONG_NUMBER;
        self.lines.iter().flatten().any(|placed| is_long(&placed.word.text))
    }

    fn may_be_notice(&self) -> bool {
        self.text.as_ref().is_some_and(relevance::may_be_notice)
    }

    /// How much was read and how surely: the sum of the confidence of the letters.
    fn weight(lines: &[Vec<PlacedWord>]) -> f64 {
        let words = lines.iter().flatten().map(|placed| &placed.word);
        words.map(|word| word.text.chars().count() as f64 * word.confidence).sum()
    }

    fn set(&mut self, lines: Vec<Vec<PlacedWord>>) {
        self.text = assemble(lines.clone(), ReaderName::Tesseract);
        self.lines = lines;
    }

    fn add(&mut self, lines: Vec<Vec<PlacedWord>>) {
        let mut all = std::mem::take(&mut self.lines);
        all.extend(lines);
        self.set(all);
    }
}

/// Where the beginning of a clip ends, if it has one.
fn beginning(picture: &ClipImage<'_>, rows: &RowProfile) -> Option<u32> {
    let at = |millimetres: f64| picture.pixels(millimetres);
    (picture.height() > at(AT_ONCE)).then(|| rows.cut(at(BEGINNING.0)..at(BEGINNING.1))).flatten()
}

/// What the tallest clips of a page tell of it.
struct LanguageSample {
    /// The clips that are not among them.
    others: Vec<usize>,
    /// Its language, where that is not English.
    language: Option<&'static str>,
    /// Whether they make sense in any language. They do not where the page lies on a side or upside down.
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
    /// The numbers of the clips whose reading passes a test.
    fn those(&self, test: impl Fn(&ClipReading) -> bool) -> Vec<usize> {
        (0..self.readings.len()).filter(|at| test(&self.readings[*at])).collect()
    }

    /// The lines of these rows of clips, for each clip together.
    fn lines(
        &self,
        rows: &[(usize, Vec<Range<u32>>)],
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, TesseractError> {
        let parts = rows.iter().flat_map(|(picture, rows)| {
            rows.iter().map(|rows| ClipRows { picture: *picture, rows: rows.clone() })
        });
        let mut lines = self.tesseract.lines(&self.pictures, &parts.collect::<Vec<_>>(), mode)?.into_iter();
        Ok(rows.iter().map(|(_, rows)| lines.by_ref().take(rows.len()).flatten().collect()).collect())
    }

    /// Reads what was read of the chosen clips once more, and keeps each reading that is better than the one before, of which this part of
    /// the new one's weight is enough.
    fn improve(&mut self, chosen: &[usize], mode: OcrMode, enough: f64) -> Result<(), TesseractError> {
        let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].rows.clone())).collect();
        for (at, lines) in chosen.iter().zip(self.lines(&rows, mode)?) {
            let reading = &mut self.readings[*at];
            if ClipReading::weight(&reading.lines) < enough * ClipReading::weight(&lines) {
                reading.set(lines);
                reading.languages = mode.languages;
            }
        }
        Ok(())
    }

    /// Reads the tallest clips: the language that makes sense of them is the page's.
    fn sample(&mut self) -> Result<LanguageSample, TesseractError> {
        let mut by_height = self.those(|_| true);
        by_height.sort_by_key(|at| self.pictures[*at].height());
        let (before, tallest) = by_height.split_at(by_height.len().saturating_sub(SAMPLE.0) / 2);
        let (sample, after) = tallest.split_at(SAMPLE.0.min(tallest.len()));
        self.try_in(ENGLISH, sample)?;
        let unsettled = sample.iter().filter(|at| !self.readings[**at].is_settled()).count();
        if unsettled >= SAMPLE.1 {
            self.other_languages(sample)?;
        }
        let language = self.other_language().filter(|_| unsettled >= SAMPLE.1);
        let sensible = sample.iter().filter(|at| self.readings[**at].makes_sense()).count();
        Ok(LanguageSample { others: [before, after].concat(), language, makes_sense: sensible >= SAMPLE.1 })
    }

    /// Reads the other clips; of a page that is not in English their beginnings, in its language first.
    fn beginnings(
        &mut self,
        LanguageSample { others, language, .. }: &LanguageSample,
    ) -> Result<(), TesseractError> {
        if let Some(language) = language {
            others.iter().for_each(|at| self.readings[*at].begin(&self.pictures[*at], &self.ink[*at]));
            self.try_in(language, others)?;
        }
        self.try_in(ENGLISH, others)?;
        self.other_languages(&self.those(|_| true))
    }

    /// Reads those of the clips that make no sense yet in a language that was not tried on them.
    fn try_in(&mut self, languages: &'static str, among: &[usize]) -> Result<(), TesseractError> {
        let is_open = |at: &usize| {
            let reading = &self.readings[*at];
            !reading.is_settled() && !reading.tried.contains(&languages)
        };
        let open: Vec<usize> = among.iter().copied().filter(is_open).collect();
        open.iter().for_each(|at| self.readings[*at].tried.push(languages));
        self.improve(&open, OcrMode { languages, segmentation: COLUMN }, 1.0)
    }

    /// The language other than English that most clips made sense in so far.
    fn other_language(&self) -> Option<&'static str> {
        let clips = |languages: &str| {
            self.those(|reading| reading.languages == languages && reading.is_settled()).len()
        };
        OTHERS.into_iter().filter(|languages| clips(languages) > 0).max_by_key(|languages| clips(languages))
    }

    /// Tries Sinhala and Tamil on the beginnings of those of the clips that make no sense in English.
    fn other_languages(&mut self, among: &[usize]) -> Result<(), TesseractError> {
        let is_foreign = |at: &usize| {
            !self.readings[*at].is_settled()
                && OTHERS.into_iter().any(|languages| !self.readings[*at].tried.contains(&languages))
        };
        let foreign: Vec<usize> = among.iter().copied().filter(is_foreign).collect();
        let before: Vec<ClipReading> = foreign.iter().map(|at| self.readings[*at].clone()).collect();
        foreign.iter().for_each(|at| self.readings[*at].begin(&self.pictures[*at], &self.ink[*at]));
        // A page is mostly in one language: the first clip tells which to try first on the others.
        if let (None, Some(probe)) = (self.other_language(), foreign.first()) {
            for languages in OTHERS {
                self.try_in(languages, &[*probe])?;
            }
        }
        let mut order = OTHERS;
        order.sort_by_key(|languages| self.other_language() != Some(languages));
        for languages in order {
            self.try_in(languages, &foreign)?;
        }
        for (at, before) in foreign.into_iter().zip(before) {
            if self.readings[at].languages == before.languages {
                self.readings[at] =
                    ClipReading { tried: Vec::from([ENGLISH, OTHERS[0], OTHERS[1]]), ..before };
            }
        }
        Ok(())
    }

    /// Reads on where that is worth it.
    fn rest(&mut self) -> Result<(), TesseractError> {
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let chosen = self.those(|reading| reading.languages == languages && !reading.is_done());
            let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].left.clone())).collect();
            for (at, lines) in
                chosen.iter().zip(self.lines(&rows, OcrMode { languages, segmentation: COLUMN })?)
            {
                let reading = &mut self.readings[*at];
                let left = std::mem::take(&mut reading.left);
                reading.rows.extend(left);
                reading.add(lines);
            }
        }
        // An English heading may stand over what is none.
        self.other_languages(&self.those(|_| true))
    }

    /// What each clip says; of a worn one no surer than [`WORN`].
    fn texts(self) -> Vec<Option<ClipText>> {
        let texts = self.readings.into_iter().zip(&self.pictures).map(|(reading, picture)| {
            let most = if picture.is_worn { WORN } else { 1.0 };
            let text = reading.text.map(correction::corrected);
            text.map(|text| ClipText { confidence: text.confidence.min(most), ..text })
        });
        texts.collect()
    }

    /// Reads lines that were left out, each by itself.
    fn lines_left_out(&mut self) -> Result<(), TesseractError> {
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let chosen = self.those(|reading| reading.languages == languages && reading.left.is_empty());
            let rows: Vec<_> =
                chosen.iter().map(|at| (*at, self.ink[*at].left_out(&self.readings[*at].lines))).collect();
            let rows: Vec<_> = rows.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
            let lines = self.lines(&rows, OcrMode { languages, segmentation: BLOCK })?;
            for ((at, _), mut lines) in rows.iter().zip(lines) {
                lines.iter_mut().for_each(|line| line.retain(|placed| placed.word.confidence >= BELIEVED));
                lines.retain(|line| {
                    let letters = line.iter().flat_map(|placed| placed.word.text.chars());
                    letters.filter(|letter| letter.is_alphanumeric()).count() >= FEWEST_LETTERS
                });
                self.readings[*at].add(lines);
            }
        }
        Ok(())
    }

    /// Reads what is doubtful as one even block.
    fn doubtful_as_blocks(&mut self) -> Result<(), TesseractError> {
        for (languages, low) in [(ENGLISH, LOW), (OTHERS[0], LOW_SINHALA), (OTHERS[1], LOW)] {
            let is_doubtful = |reading: &ClipReading| {
                reading.languages == languages && reading.is_below(low) && reading.left.is_empty()
            };
            let doubtful = self.those(is_doubtful);
            for at in &doubtful {
                self.readings[*at].rows = Vec::from([0..self.pictures[*at].height()]);
            }
            self.improve(&doubtful, OcrMode { languages, segmentation: BLOCK }, CLEARLY_BETTER)?;
        }
        Ok(())
    }

    /// Reads clips in Sinhala and Tamil, and the uncertain lines of those in English, with the built-in recogniser too.
    fn cross_check(&mut self) -> Result<(), TesseractError> {
        let chosen =
            self.those(|reading| reading.left.is_empty() && reading.may_be_notice() && reading.has_number());
        let pictures: Vec<&ClipImage<'_>> = chosen.iter().map(|at| &self.pictures[*at]).collect();
        let read = cross_check::lines(&pictures, |nth, line| {
            let reading = &self.readings[chosen[nth]];
            reading.languages != ENGLISH || cross_check::is_uncertain_on(&reading.lines, line)
        })?;
        let is_other = |reading: &ClipReading| reading.languages != ENGLISH;
        for at in self.those(is_other).into_iter().filter(|at| !chosen.contains(at)) {
            let mut lines = std::mem::take(&mut self.readings[at].lines);
            cross_check::unconfirmed(&mut lines);
            self.readings[at].set(lines);
        }
        for (at, second) in chosen.iter().zip(read) {
            let reading = &mut self.readings[*at];
            let mut lines = std::mem::take(&mut reading.lines);
            if reading.languages == ENGLISH {
                cross_check::confirm(&mut lines, &second);
                reading.both.other = second;
            } else {
                reading.both = cross_check::compared(lines, second);
                lines = std::mem::take(&mut reading.both.kept);
            }
            reading.set(lines);
        }
        Ok(())
    }

    /// Reads the lines with uncertain numbers again, larger: in English those that are hard to read, among Sinhala and Tamil those on which the two
    /// recognisers differ.
    fn vote_on_numbers(&mut self) -> Result<(), TesseractError> {
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let below = if languages == ENGLISH { HARD_TO_READ } else { AGREED };
            let chosen = self.those(|reading| {
                reading.languages == languages && reading.left.is_empty() && reading.may_be_notice()
            });
            let rows =
                |at: &usize| number_vote::rows(&self.readings[*at].lines, below, self.pictures[*at].height());
            let rows: Vec<_> =
                chosen.iter().map(|at| (*at, rows(at))).filter(|(_, rows)| !rows.is_empty()).collect();
            let larger =
                self.resized(&rows, number_vote::LARGER, OcrMode { languages, segmentation: COLUMN })?;
            for ((at, _), larger) in rows.iter().zip(larger) {
                let reading = &mut self.readings[*at];
                let mut lines = std::mem::take(&mut reading.lines);
                number_vote::vote_on_numbers(&mut lines, below, &reading.both, &larger);
                reading.set(lines);
            }
        }
        Ok(())
    }

    /// The lines of these rows of clips read so many times as large, for each clip together and in its own pixels.
    fn resized(
        &self,
        rows: &[(usize, Vec<Range<u32>>)],
        times: f64,
        mode: OcrMode,
    ) -> Result<Vec<Vec<Vec<PlacedWord>>>, TesseractError> {
        let pictures: Vec<ClipImage<'_>> =
            rows.par_iter().map(|(at, _)| self.pictures[*at].resized(times)).collect();
        let of = |edge: u32| (f64::from(edge) * times).round() as u32;
        let parts = rows.iter().enumerate().flat_map(|(picture, (_, rows))| {
            rows.iter().map(move |rows| ClipRows { picture, rows: of(rows.start)..of(rows.end) })
        });
        let mut lines = self.tesseract.lines(&pictures, &parts.collect::<Vec<_>>(), mode)?.into_iter();
        let of_clip = |rows: &[Range<u32>]| {
            let mut lines: Vec<Vec<PlacedWord>> = lines.by_ref().take(rows.len()).flatten().collect();
            let places = lines.iter_mut().flatten().flat_map(|placed| &mut placed.place);
            places.for_each(|edge| *edge /= times);
            lines
        };
        Ok(rows.iter().map(|(_, rows)| rows.as_slice()).map(of_clip).collect())
    }
}
