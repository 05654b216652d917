//! Votes on uncertain numbers. Among Sinhala and Tamil letters, OCR reports high confidence for
//! wrong digits. Tesseract therefore reads uncertain numbers again in a larger size. Of this
//! reading and the two earlier readings, the majority decides.

use super::{
    alignment::{MAX_LENGTH_DIFFERENCE, bare_word, keep_second_choice, text_at},
    cross_check::ReadingPair,
};
use crate::{
    base::Word,
    ocr::{AGREED, placed_word::PlacedWord},
};
use std::ops::Range;

/// The scale of the third reading.
pub(super) const THIRD_READING_SCALE: f64 = 1.3;
/// The highest confidence of a number that both readings of Tesseract have, but not the built-in
/// recogniser.
const MAX_ONLY_TESSERACT: f64 = 0.8;
/// The highest confidence of a number on which no two readings agree.
const MAX_DISPUTED: f64 = 0.5;
/// The padding above and below a line, in line heights.
const PADDING: f64 = 0.3;

/// Whether a word needs a vote: it has a digit and less confidence than `below`.
pub(super) fn needs_vote(placed: &PlacedWord, below: f64) -> bool {
    has_digit(&placed.word.text) && placed.word.confidence < below
}

/// The rows of the lines with words that need a vote. Nearby lines are merged. `end` is the height
/// of the image.
pub(super) fn rows_to_vote(lines: &[Vec<PlacedWord>], below: f64, end: u32) -> Vec<Range<u32>> {
    let open = lines.iter().filter(|line| line.iter().any(|placed| needs_vote(placed, below)));
    let mut rows: Vec<[f64; 2]> = open
        .map(|line| {
            let top = line.iter().map(|placed| placed.place[1]).fold(f64::INFINITY, f64::min);
            let bottom = line.iter().map(|placed| placed.place[3]).fold(0.0, f64::max);
            let room = PADDING * (bottom - top);
            [top - room, bottom + room]
        })
        .collect();
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut bands: Vec<[f64; 2]> = Vec::new();
    for [top, bottom] in rows {
        match bands.last_mut() {
            Some(last) if top <= last[1] + (bottom - top) => last[1] = last[1].max(bottom),
            _ => bands.push([top, bottom]),
        }
    }
    let row = |edge: f64| (edge.max(0.0) as u32).min(end);
    let rows = bands.into_iter().map(|[top, bottom]| row(top.floor())..row(bottom.ceil()));
    rows.filter(|rows| !rows.is_empty()).collect()
}

/// Votes on each number with less confidence than `below`. The three readings are `lines`, the
/// other reading of `both`, and `larger`, which Tesseract read in a larger size.
pub(super) fn vote_on_numbers(
    lines: &mut [Vec<PlacedWord>],
    below: f64,
    both: &ReadingPair,
    larger: &[Vec<PlacedWord>],
) {
    for placed in lines.iter_mut().flatten().filter(|placed| needs_vote(placed, below)) {
        let [other, larger] = [&both.other, larger].map(|lines| text_at(lines, placed));
        vote(&mut placed.word, &other, both.is_second, &larger);
    }
}

/// Chooses a number and its confidence. A number on which both recognisers agree is almost always
/// right. A number on which only the two readings of Tesseract agree is usually right. Unless it is
/// almost always right, the number keeps another reading as its second choice.
fn vote(word: &mut Word, other: &str, is_second: bool, larger: &str) {
    let (kept, other, larger) = (bare_word(&word.text).to_owned(), bare_word(other), bare_word(larger));
    let (built_in, tesseract) = if is_second { (kept.as_str(), other) } else { (other, kept.as_str()) };
    let (number, confidence) = if built_in == tesseract || built_in == larger {
        (built_in, AGREED)
    } else if tesseract == larger {
        (tesseract, MAX_ONLY_TESSERACT)
    } else {
        (kept.as_str(), MAX_DISPUTED)
    };
    if number == kept {
        word.confidence = if confidence == AGREED { AGREED } else { word.confidence.min(confidence) };
    } else if is_similar_number(&kept, number) {
        word.text = word.text.replacen(&kept, number, 1);
        word.confidence = confidence;
    } else {
        word.confidence = word.confidence.min(MAX_DISPUTED);
    }
    let chosen = bare_word(&word.text).to_owned();
    let second = [kept.as_str(), other, larger].into_iter().find(|reading| {
        word.confidence < AGREED && *reading != chosen && is_similar_number(&chosen, reading)
    });
    keep_second_choice(word, second.unwrap_or_default());
}

/// Whether another reading is a number of similar length. A longer reading may include a
/// neighbouring word.
fn is_similar_number(number: &str, other: &str) -> bool {
    let length = |text: &str| text.chars().count();
    has_digit(other) && other.is_ascii() && length(number).abs_diff(length(other)) <= MAX_LENGTH_DIFFERENCE
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[(&str, f64, f64)], top: f64) -> Vec<PlacedWord> {
        let placed = |(text, left, right): &(&str, f64, f64)| PlacedWord {
            word: Word::new((*text).to_owned(), [0.0; 4], 0.85),
            place: [*left, top, *right, top + 20.0],
        };
        words.iter().map(placed).collect()
    }

    fn both(other: Vec<Vec<PlacedWord>>, is_second: bool) -> ReadingPair {
        ReadingPair { other, is_second, ..ReadingPair::default() }
    }

    /// The vote on a number of Tesseract, given the readings of the built-in recogniser and in the
    /// larger size.
    fn voted(number: &str, built_in: &str, larger: &str) -> (String, f64) {
        let of = |text: &str| vec![line(&[(text, 10.0, 90.0)], 10.0)];
        let mut lines = of(number);
        vote_on_numbers(&mut lines, 1.0, &both(of(built_in), false), &of(larger));
        let word = lines.remove(0).remove(0).word;
        (word.text, word.confidence)
    }

    #[test]
    fn agreeing_readings_win() {
        assert_eq!(voted("10.30", "10.30,", "10.50"), ("10.30".to_owned(), AGREED));
        assert_eq!(voted("(10.50", "10.30", "10.30"), ("(10.30".to_owned(), AGREED));
        assert_eq!(voted("10.30", "10.50", "10.30"), ("10.30".to_owned(), MAX_ONLY_TESSERACT));
        assert_eq!(voted("10.30", "10.50", "16.30"), ("10.30".to_owned(), MAX_DISPUTED));
        assert_eq!(voted("10.30", "", ""), ("10.30".to_owned(), MAX_DISPUTED));
        assert_eq!(
            voted("10.30", "10.30.2027", "10.30.2027"),
            ("10.30".to_owned(), MAX_DISPUTED),
            "more words"
        );
    }

    #[test]
    fn a_number_that_is_not_certain_keeps_another_reading() {
        let second = |number: &str, built_in: &str, larger: &str| {
            let of = |text: &str| vec![line(&[(text, 10.0, 90.0)], 10.0)];
            let mut lines = of(number);
            vote_on_numbers(&mut lines, 1.0, &both(of(built_in), false), &of(larger));
            lines.remove(0).remove(0).word.second_choice
        };
        assert_eq!(second("10.30", "10.50", "10.30").as_deref(), Some("10.50"));
        assert_eq!(second("(10.30,", "10.50", "16.30").as_deref(), Some("(10.50,"), "the marks stay");
        assert_eq!(second("10.30", "", "16.30").as_deref(), Some("16.30"));
        assert_eq!(second("10.50", "10.30", "10.30"), None, "two recognisers agree");
        assert_eq!(second("10.30", "10.30.2027", ""), None, "more words");
    }

    #[test]
    fn numbers_of_the_built_in_recogniser_are_voted_on_too() {
        let of = |text: &str| vec![line(&[(text, 10.0, 90.0)], 10.0)];
        let mut lines = of("10.30");
        vote_on_numbers(&mut lines, 1.0, &both(of("10.50"), true), &of("10.30"));
        assert_eq!(lines[0][0].word.confidence, AGREED);
        let mut lines = of("10.30");
        vote_on_numbers(&mut lines, 1.0, &both(of("10.50"), true), &of("10.50"));
        assert_eq!(
            (lines[0][0].word.text.as_str(), lines[0][0].word.confidence),
            ("10.50", MAX_ONLY_TESSERACT)
        );
    }

    #[test]
    fn a_split_number_is_the_same_number() {
        let mut lines = vec![line(&[("2027.04.13", 90.0, 160.0), ("14.00", 170.0, 210.0)], 0.0)];
        let pieces = vec![line(&[("2027.", 90.0, 120.0), ("04.13", 123.0, 161.0)], 1.0)];
        vote_on_numbers(&mut lines, 1.0, &both(pieces.clone(), false), &pieces);
        let sure: Vec<f64> = lines[0].iter().map(|placed| placed.word.confidence).collect();
        assert_eq!(sure, [AGREED, MAX_DISPUTED]);
    }

    #[test]
    fn lines_with_uncertain_numbers_are_merged_into_bands() {
        let lines = [
            line(&[("2027", 0.0, 40.0)], 100.0),
            line(&[("ලංසු", 0.0, 40.0)], 130.0),
            line(&[("10.30", 0.0, 40.0)], 160.0),
            line(&[("කැඳවීම", 0.0, 40.0)], 300.0),
            line(&[("14", 0.0, 40.0)], 395.0),
        ];
        assert_eq!(rows_to_vote(&lines, 1.0, 410), [94..186, 389..410]);
        assert_eq!(
            rows_to_vote(&lines, 0.85, 410),
            Vec::<Range<u32>>::new(),
            "the confidence is high enough"
        );
        assert_eq!(rows_to_vote(&lines[3..4], 1.0, 410), Vec::<Range<u32>>::new());
        assert_eq!(rows_to_vote(&lines[4..], 1.0, 380), Vec::<Range<u32>>::new(), "outside the image");
    }
}
