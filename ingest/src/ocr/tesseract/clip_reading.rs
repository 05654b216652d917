//! The reading of one clip: which of its rows are read, what was read, and whether the text makes sense.

#![expect(clippy::single_range_in_vec_init, reason = "the rows of a clip are a list of ranges, often of one")]

use super::{clip_image::ClipImage, cross_check::ReadingPair, row_profile::RowProfile};
use crate::ocr::{ClipText, ReaderName, line_assembly::assemble, placed_word::PlacedWord, relevance};
use std::ops::Range;
use tender_model::vocabulary::Language;

/// Text in Latin letters is probably in another language if it has less than this confidence and
/// too few common English words.
const MIN_ENGLISH_CONFIDENCE: f64 = 0.70;
/// Sinhala or Tamil text with less confidence was read in the wrong script.
const MIN_RIGHT_SCRIPT: f64 = 0.60;
/// A clip with fewer words gives no evidence about the orientation of the page.
const MIN_WORDS: usize = 8;
/// The range of distances from the top of a clip in which its beginning ends, in millimetres. That
/// is about eight lines. The end of a large clip begins in the same range from the bottom.
const BEGINNING_RANGE: (f64, f64) = (20.0, 36.0);
/// A clip up to this height, in millimetres, is read as a whole.
const MAX_WHOLE_HEIGHT: f64 = 50.0;
/// A clip without a frame that is higher than this, in millimetres, may be news. Its beginning and
/// end are read first.
const MIN_NEWS_HEIGHT: f64 = 90.0;
/// The fewest digits of a date, an amount or a telephone number.
const MIN_DIGITS: usize = 3;
/// The Tesseract languages for an English clip.
pub(super) const ENGLISH: &str = "eng";

/// The progress and the result of reading a clip.
#[derive(Debug, Clone)]
pub(super) struct ClipReading {
    /// The rows that are read, or will be read first.
    pub(super) rows: Vec<Range<u32>>,
    /// The rows left for later.
    pub(super) left: Vec<Range<u32>>,
    /// Whether the rows left for later are read only if the rows read first may be a notice.
    pub(super) is_glance: bool,
    /// The languages in which the clip was read best so far.
    pub(super) languages: &'static str,
    /// The languages that were tried.
    pub(super) tried: Vec<&'static str>,
    /// The words, by line.
    pub(super) lines: Vec<Vec<PlacedWord>>,
    /// The readings of both recognisers, if both read the clip.
    pub(super) both: ReadingPair,
    /// The lines as a text. `None`: they contain no word.
    pub(super) text: Option<ClipText>,
}

impl ClipReading {
    /// A clip that is to be read: as a whole, or its beginning and its end if it may be news.
    pub(super) fn planned(picture: &ClipImage<'_>, rows: &RowProfile) -> Self {
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
        let end = || {
            rows.find_cut(
                height.saturating_sub(at(BEGINNING_RANGE.1))..height.saturating_sub(at(BEGINNING_RANGE.0)),
            )
        };
        let may_be_news = !picture.is_framed() && height > at(MIN_NEWS_HEIGHT);
        match may_be_news.then(|| find_beginning_end(picture, rows).zip(end())).flatten() {
            None => planned(vec![0..height], Vec::new(), false),
            Some((first, last)) => planned(vec![0..first, last..height], vec![first..last], true),
        }
    }

    /// Plans to read all rows again.
    pub(super) fn plan_whole(&mut self, picture: &ClipImage<'_>) {
        self.rows = vec![0..picture.height()];
    }

    /// Limits the reading to the beginning of the clip and leaves the rest for later. Lines that
    /// were read below the beginning are dropped.
    pub(super) fn keep_beginning(&mut self, picture: &ClipImage<'_>, rows: &RowProfile) {
        let height = picture.height();
        if let (Some(first), [_], []) = (find_beginning_end(picture, rows), &self.rows[..], &self.left[..]) {
            (self.rows, self.left) = (vec![0..first], vec![first..height]);
            let mut lines = std::mem::take(&mut self.lines);
            lines.retain(|line| line.iter().all(|placed| placed.place[1] < f64::from(first)));
            self.set_lines(lines);
        }
    }

    /// Whether there is no text, or one with less confidence than this.
    pub(super) fn is_below(&self, confidence: f64) -> bool {
        self.text.as_ref().is_none_or(|text| text.confidence < confidence)
    }

    /// Whether the text makes sense in its language. Text in the wrong script has low confidence.
    pub(super) fn makes_sense(&self) -> bool {
        self.text.as_ref().is_some_and(|text| match text.language {
            Language::English => {
                text.confidence >= MIN_ENGLISH_CONFIDENCE || pdf_text::plausible::is_english(&text.text())
            }
            Language::Sinhala | Language::Tamil => text.confidence >= MIN_RIGHT_SCRIPT,
        })
    }

    /// Whether the text is certainly readable: it is confident and long enough.
    pub(super) fn is_certainly_readable(&self) -> bool {
        let is_readable = |text: &ClipText| {
            let least =
                if text.language == Language::English { MIN_ENGLISH_CONFIDENCE } else { MIN_RIGHT_SCRIPT };
            text.confidence >= least && text.words().count() >= MIN_WORDS
        };
        self.text.as_ref().is_some_and(is_readable)
    }

    /// Whether the rows left for later need not be read.
    pub(super) fn is_done(&self) -> bool {
        self.left.is_empty()
            || self.is_glance && self.text.as_ref().is_some_and(|text| !relevance::may_be_notice(text))
    }

    /// Whether the text has a number that is long enough for a date, an amount or a telephone
    /// number. Every notice has such a number, and most news have none.
    pub(super) fn has_number(&self) -> bool {
        let is_long = |word: &str| word.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS;
        self.lines.iter().flatten().any(|placed| is_long(&placed.word.text))
    }

    pub(super) fn may_be_notice(&self) -> bool {
        self.text.as_ref().is_some_and(relevance::may_be_notice)
    }

    /// The amount of confident text: the sum of the confidences of the letters.
    pub(super) fn weight(lines: &[Vec<PlacedWord>]) -> f64 {
        let words = lines.iter().flatten().map(|placed| &placed.word);
        words.map(|word| word.text.chars().count() as f64 * word.confidence).sum()
    }

    pub(super) fn set_lines(&mut self, lines: Vec<Vec<PlacedWord>>) {
        self.text = assemble(lines.clone(), ReaderName::Tesseract);
        self.lines = lines;
    }

    pub(super) fn add_lines(&mut self, lines: Vec<Vec<PlacedWord>>) {
        let mut all = std::mem::take(&mut self.lines);
        all.extend(lines);
        self.set_lines(all);
    }
}

/// Finds the row at which the beginning of a clip ends. `None` if the clip is read as a whole.
fn find_beginning_end(picture: &ClipImage<'_>, rows: &RowProfile) -> Option<u32> {
    let at = |millimetres: f64| picture.pixels(millimetres);
    (picture.height() > at(MAX_WHOLE_HEIGHT))
        .then(|| rows.find_cut(at(BEGINNING_RANGE.0)..at(BEGINNING_RANGE.1)))
        .flatten()
}
