//! How far and in which language each clip of a page is read. The beginning comes first, in English; where that makes no sense, it is read
//! in Sinhala and Tamil; then the rest in the language that made sense, unless the clip is a large block without a word of a notice.
//! At last, lines that were left out are read one by one, and what is doubtful once more as one even block.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "what is read of a picture is a list of ranges of rows, often of one"
)]

use super::{
    BLOCK, COLUMN, Tesseract, TesseractError, Way,
    picture::{Part, Picture},
    strips::Rows,
};
use crate::{
    layout::Clip,
    page::Page,
    read::{
        ClipText, ReaderName,
        assemble::{Placed, assemble},
        trust, worth,
    },
};
use rayon::prelude::*;
use std::ops::Range;

/// English read with less confidence than this, and without its common words, is another language.
const DOUBTFUL: f64 = 0.70;
/// A clip read with less confidence than this is read a second time, as one even block.
const LOW: f64 = 0.80;
/// What is read in a script that is not its own comes out with less confidence than this.
const RIGHT_SCRIPT: f64 = 0.60;
/// The second reading is taken only where it is better than the first by this.
const CLEARLY_BETTER: f64 = 0.97;
/// A word of a line that was left out is believed from this confidence.
const BELIEVED: f64 = 0.60;
/// A line that was left out has at least so many letters and digits: less is a mark or an emblem.
const FEWEST_LETTERS: usize = 4;
/// So many clips tell a page's language, and so many of them that it is not English.
const SAMPLE: (usize, usize) = (5, 2);
/// Where a clip's beginning ends, in millimetres: eight lines or so.
const BEGINNING: (f64, f64) = (20.0, 36.0);
/// A clip no higher than this, in millimetres, is read at once.
const AT_ONCE: f64 = 50.0;
/// A clip without a frame that is higher than this, in millimetres, may be news: its beginning and its end tell.
const LARGE: f64 = 90.0;
/// The ways of reading a column, as the languages come into question.
const ENGLISH: &str = "eng";
const OTHERS: [&str; 2] = ["sin+eng", "tam+eng"];

/// What each of these clips says.
pub(super) fn read(
    tesseract: &Tesseract,
    page: &Page,
    clips: &[&Clip],
) -> Result<Vec<Option<ClipText>>, TesseractError> {
    let pictures: Vec<Picture<'_>> = clips.par_iter().map(|clip| Picture::new(page, clip)).collect();
    let rows: Vec<Rows> = pictures.par_iter().map(Rows::of).collect();
    let readings =
        pictures.iter().zip(&rows).map(|(picture, rows)| Reading::planned(picture, rows)).collect();
    let mut reader = Reader { tesseract, pictures, readings };
    reader.beginnings(&rows)?;
    reader.rest()?;
    reader.lines_left_out(&rows)?;
    reader.doubtful_as_blocks()?;
    Ok(reader.readings.into_iter().map(|reading| reading.text).collect())
}

/// How far a clip is read.
#[derive(Debug)]
struct Reading {
    /// The rows that are read, or are to be read first.
    rows: Vec<Range<u32>>,
    /// The rows that are left for later.
    left: Vec<Range<u32>>,
    /// Whether the rest is read only where the beginning may be a notice's.
    is_glance: bool,
    languages: &'static str,
    lines: Vec<Vec<Placed>>,
    text: Option<ClipText>,
}

impl Reading {
    fn planned(picture: &Picture<'_>, rows: &Rows) -> Self {
        let height = picture.height();
        let at = |millimetres: f64| picture.pixels(millimetres);
        let planned = |rows, left, is_glance| Self {
            rows,
            left,
            is_glance,
            languages: ENGLISH,
            lines: Vec::new(),
            text: None,
        };
        let end = || rows.cut(height.saturating_sub(at(BEGINNING.1))..height.saturating_sub(at(BEGINNING.0)));
        let may_be_news = !picture.is_framed() && height > at(LARGE);
        match may_be_news.then(|| beginning(picture, rows).zip(end())).flatten() {
            None => planned(vec![0..height], Vec::new(), false),
            Some((first, last)) => planned(vec![0..first, last..height], vec![first..last], true),
        }
    }

    /// Leaves all but its beginning for later.
    fn begin(&mut self, picture: &Picture<'_>, rows: &Rows) {
        let height = picture.height();
        if let (Some(first), [_]) = (beginning(picture, rows), &self.rows[..]) {
            (self.rows, self.left) = (vec![0..first], vec![first..height]);
        }
    }

    fn is_below(&self, confidence: f64) -> bool {
        self.text.as_ref().is_none_or(|text| text.confidence < confidence)
    }

    /// Whether it was read as Sinhala or Tamil, and makes sense so: letters of another script are read with less confidence.
    fn is_other_language(&self) -> bool {
        self.languages != ENGLISH && !self.is_below(RIGHT_SCRIPT)
    }

    fn is_no_english(&self) -> bool {
        self.languages == ENGLISH
            && self.is_below(DOUBTFUL)
            && self.text.as_ref().is_none_or(|text| !trust::is_english(&text.text()))
    }

    /// Whether the rest of it is not worth reading.
    fn is_done(&self) -> bool {
        self.left.is_empty()
            || self.is_glance && self.text.as_ref().is_some_and(|text| !worth::may_be_notice(text))
    }

    /// How much was read and how surely: the sum of the confidence of the letters.
    fn weight(lines: &[Vec<Placed>]) -> f64 {
        let words = lines.iter().flatten().map(|placed| &placed.word);
        words.map(|word| word.text.chars().count() as f64 * word.confidence).sum()
    }

    fn set(&mut self, lines: Vec<Vec<Placed>>) {
        self.text = assemble(lines.clone(), ReaderName::Tesseract);
        self.lines = lines;
    }

    fn add(&mut self, lines: Vec<Vec<Placed>>) {
        let mut all = std::mem::take(&mut self.lines);
        all.extend(lines);
        self.set(all);
    }
}

/// Where the beginning of a clip ends, if it has one.
fn beginning(picture: &Picture<'_>, rows: &Rows) -> Option<u32> {
    let at = |millimetres: f64| picture.pixels(millimetres);
    (picture.height() > at(AT_ONCE)).then(|| rows.cut(at(BEGINNING.0)..at(BEGINNING.1))).flatten()
}

/// The clips of a page while they are read.
struct Reader<'p> {
    tesseract: &'p Tesseract,
    pictures: Vec<Picture<'p>>,
    readings: Vec<Reading>,
}

impl Reader<'_> {
    /// The numbers of the clips whose reading passes a test.
    fn those(&self, test: impl Fn(&Reading) -> bool) -> Vec<usize> {
        (0..self.readings.len()).filter(|at| test(&self.readings[*at])).collect()
    }

    /// The lines of these rows of clips, for each clip together.
    fn lines(
        &self,
        rows: &[(usize, Vec<Range<u32>>)],
        way: Way,
    ) -> Result<Vec<Vec<Vec<Placed>>>, TesseractError> {
        let parts = rows.iter().flat_map(|(picture, rows)| {
            rows.iter().map(|rows| Part { picture: *picture, rows: rows.clone() })
        });
        let mut lines = self.tesseract.lines(&self.pictures, &parts.collect::<Vec<_>>(), way)?.into_iter();
        Ok(rows.iter().map(|(_, rows)| lines.by_ref().take(rows.len()).flatten().collect()).collect())
    }

    /// Reads what was read of the chosen clips once more, and keeps each reading that is better than the one before, of which this part of
    /// the new one's weight is enough.
    fn improve(&mut self, chosen: &[usize], way: Way, enough: f64) -> Result<(), TesseractError> {
        let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].rows.clone())).collect();
        for (at, lines) in chosen.iter().zip(self.lines(&rows, way)?) {
            let reading = &mut self.readings[*at];
            if Reading::weight(&reading.lines) < enough * Reading::weight(&lines) {
                reading.set(lines);
                reading.languages = way.languages;
            }
        }
        Ok(())
    }

    /// Reads the clips, or the beginnings of what may be left or is of a page in another language, where English is only tried.
    fn beginnings(&mut self, rows: &[Rows]) -> Result<(), TesseractError> {
        let english = Way { languages: ENGLISH, segmentation: COLUMN };
        let mut by_height = self.those(|_| true);
        by_height.sort_by_key(|at| self.pictures[*at].height());
        let (before, tallest) = by_height.split_at(by_height.len().saturating_sub(SAMPLE.0) / 2);
        let (sample, after) = tallest.split_at(SAMPLE.0.min(tallest.len()));
        self.improve(sample, english, 1.0)?;
        let others = [before, after].concat();
        if sample.iter().filter(|at| self.readings[**at].is_no_english()).count() >= SAMPLE.1 {
            others.iter().for_each(|at| self.readings[*at].begin(&self.pictures[*at], &rows[*at]));
        }
        self.improve(&others, english, 1.0)?;
        self.other_languages()
    }

    /// Tries Sinhala and Tamil where English makes no sense.
    fn other_languages(&mut self) -> Result<(), TesseractError> {
        let foreign = self.those(Reading::is_no_english);
        // A page is mostly in one language: the first clip tells which to try first on the others.
        let Some((probe, rest)) = foreign.split_first() else { return Ok(()) };
        let way = |languages| Way { languages, segmentation: COLUMN };
        for languages in OTHERS {
            self.improve(&[*probe], way(languages), 1.0)?;
        }
        let mut order = OTHERS;
        order.sort_by_key(|languages| *languages != self.readings[*probe].languages);
        for languages in order {
            let unread: Vec<usize> =
                rest.iter().copied().filter(|at| !self.readings[*at].is_other_language()).collect();
            self.improve(&unread, way(languages), 1.0)?;
        }
        Ok(())
    }

    /// Reads on where that is worth it.
    fn rest(&mut self) -> Result<(), TesseractError> {
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let chosen = self.those(|reading| reading.languages == languages && !reading.is_done());
            let rows: Vec<_> = chosen.iter().map(|at| (*at, self.readings[*at].left.clone())).collect();
            for (at, lines) in chosen.iter().zip(self.lines(&rows, Way { languages, segmentation: COLUMN })?)
            {
                let reading = &mut self.readings[*at];
                let left = std::mem::take(&mut reading.left);
                reading.rows.extend(left);
                reading.add(lines);
            }
        }
        // An English heading may stand over what is none.
        self.other_languages()
    }

    /// Reads lines that were left out, each by itself.
    fn lines_left_out(&mut self, ink: &[Rows]) -> Result<(), TesseractError> {
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let chosen = self.those(|reading| reading.languages == languages && reading.left.is_empty());
            let rows: Vec<_> =
                chosen.iter().map(|at| (*at, ink[*at].left_out(&self.readings[*at].lines))).collect();
            let rows: Vec<_> = rows.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
            let lines = self.lines(&rows, Way { languages, segmentation: BLOCK })?;
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
        for languages in [ENGLISH, OTHERS[0], OTHERS[1]] {
            let is_doubtful = |reading: &Reading| {
                reading.languages == languages && reading.is_below(LOW) && reading.left.is_empty()
            };
            let doubtful = self.those(is_doubtful);
            for at in &doubtful {
                self.readings[*at].rows = Vec::from([0..self.pictures[*at].height()]);
            }
            self.improve(&doubtful, Way { languages, segmentation: BLOCK }, CLEARLY_BETTER)?;
        }
        Ok(())
    }
}
