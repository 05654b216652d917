//! Proof-reading of numbers. Among letters of Sinhala and Tamil, recognition is sure of many a digit that it gets wrong; at another size, most of those
//! come out as something else. So such numbers are read at three sizes, and what two readings agree on is taken.

use crate::read::assemble::Placed;
use std::ops::Range;

/// How many times as large the letters are at the second and the third reading.
pub(super) const SIZES: [f64; 2] = [1.3, 0.8];
/// How sure a number is at least that all three readings have,
const CONFIRMED: f64 = 0.9;
/// at most that only the other two have,
const OUTVOTED: f64 = 0.8;
/// and at most that no two readings have.
const DISPUTED: f64 = 0.5;
/// The other two's number is of about the same length.
const LONGER: usize = 2;
/// White given to lines above and below, in their heights.
const ROOM: f64 = 0.3;
/// How far the middle of a word may lie beyond another's sides, in its heights.
const ASIDE: f64 = 0.1;
/// How far the middles of two words on one line may lie apart, in the first one's heights,
const APART: f64 = 0.6;
/// which are at least this, in pixels: a word of low letters alone is a low box.
const LOWEST: f64 = 12.0;

/// Whether a word is to be proof-read: one with a digit that is read less surely than this.
pub(super) fn is_open(placed: &Placed, below: f64) -> bool {
    has_digit(&placed.word.text) && placed.word.confidence < below
}

/// The rows of the lines that hold what is to be proof-read, those near each other as one; none goes beyond the `end` of the picture.
pub(super) fn rows(lines: &[Vec<Placed>], below: f64, end: u32) -> Vec<Range<u32>> {
    let open = lines.iter().filter(|line| line.iter().any(|placed| is_open(placed, below)));
    let mut rows: Vec<[f64; 2]> = open
        .map(|line| {
            let top = line.iter().map(|placed| placed.place[1]).fold(f64::INFINITY, f64::min);
            let bottom = line.iter().map(|placed| placed.place[3]).fold(0.0, f64::max);
            let room = ROOM * (bottom - top);
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

/// Lets each number that is to be proof-read be voted on by itself and the `others`, where each word stands in the same pixels.
pub(super) fn proofread(lines: &mut [Vec<Placed>], below: f64, others: [&[Vec<Placed>]; 2]) {
    for placed in lines.iter_mut().flatten().filter(|placed| is_open(placed, below)) {
        vote(placed, others.map(|other| said(other, placed)));
    }
}

/// Lets a number be voted on by itself and two other readings of it.
fn vote(placed: &mut Placed, [second, third]: [String; 2]) {
    let word = &mut placed.word;
    let (first, second, third) = (letters(&word.text), letters(&second), letters(&third));
    match (first == second, first == third) {
        (true, true) => word.confidence = word.confidence.max(CONFIRMED),
        (true, false) | (false, true) => {}
        (false, false) if second == third && is_like(first, second) => {
            word.text = word.text.replacen(first, second, 1);
            word.confidence = word.confidence.min(OUTVOTED);
        }
        (false, false) => word.confidence = word.confidence.min(DISPUTED),
    }
}

/// What another reading has where a word stands.
fn said(lines: &[Vec<Placed>], placed: &Placed) -> String {
    let middle = |placed: &Placed, from: usize| f64::midpoint(placed.place[from], placed.place[from + 2]);
    let height = placed.height().max(LOWEST);
    let across = placed.place[0] - ASIDE * height..=placed.place[2] + ASIDE * height;
    let is_there = |other: &&Placed| {
        across.contains(&middle(other, 0)) && (middle(other, 1) - middle(placed, 1)).abs() < APART * height
    };
    let mut there: Vec<&Placed> = lines.iter().flatten().filter(is_there).collect();
    there.sort_by(|a, b| a.place[0].total_cmp(&b.place[0]));
    there.into_iter().map(|placed| placed.word.text.as_str()).collect()
}

/// Whether another reading of a number is one of the same sort: not a word or two that stand around it, too.
fn is_like(number: &str, other: &str) -> bool {
    let length = |text: &str| text.chars().count();
    has_digit(other) && other.is_ascii() && length(number).abs_diff(length(other)) <= LONGER
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// A word without the signs around it: those are specks as often as signs.
fn letters(word: &str) -> &str {
    word.trim_matches(|c: char| c.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Word;

    fn line(words: &[(&str, f64, f64)], top: f64) -> Vec<Placed> {
        let placed = |(text, left, right): &(&str, f64, f64)| Placed {
            word: Word { text: (*text).to_owned(), area: [0.0; 4], confidence: 0.85 },
            place: [*left, top, *right, top + 20.0],
        };
        words.iter().map(placed).collect()
    }

    /// What a number comes to that the other two readings have so.
    fn voted(number: &str, second: &str, third: &str) -> (String, f64) {
        let of = |text: &str| vec![line(&[(text, 10.0, 90.0)], 10.0)];
        let mut lines = of(number);
        proofread(&mut lines, 1.0, [&of(second), &of(third)]);
        let word = lines.remove(0).remove(0).word;
        (word.text, word.confidence)
    }

    #[test]
    fn what_two_readings_agree_on_is_taken() {
        assert_eq!(voted("10.30", "10.30,", "10.30"), ("10.30".to_owned(), CONFIRMED));
        assert_eq!(voted("10.30", "10.30", "10.50"), ("10.30".to_owned(), 0.85));
        assert_eq!(voted("(10.50)", "10.30", "10.30"), ("(10.30)".to_owned(), OUTVOTED));
        assert_eq!(voted("10.50", "10.30", "10.80"), ("10.50".to_owned(), DISPUTED));
        assert_eq!(voted("10.50", "", ""), ("10.50".to_owned(), DISPUTED), "not read again");
        assert_eq!(
            voted("10.00", "10.00ටවිවෘත", "10.00ටවිවෘත"),
            ("10.00".to_owned(), DISPUTED),
            "two words as one"
        );
        assert_eq!(voted("සභාව", "සඞාව", "සඞාව"), ("සභාව".to_owned(), 0.85), "no number");
    }

    #[test]
    fn a_number_in_pieces_is_the_same_number() {
        let mut lines = vec![line(&[("2027.04.13", 90.0, 160.0), ("14.00", 170.0, 210.0)], 0.0)];
        let pieces = [line(&[("2027.", 90.0, 120.0), ("04.13", 123.0, 161.0)], 1.0)];
        proofread(&mut lines, 1.0, [&pieces, &pieces]);
        let sure: Vec<f64> = lines[0].iter().map(|placed| placed.word.confidence).collect();
        assert_eq!(sure, [CONFIRMED, DISPUTED]);
    }

    #[test]
    fn lines_with_open_numbers_are_read_in_bands() {
        let lines = [
            line(&[("2027", 0.0, 40.0)], 100.0),
            line(&[("ලංසු", 0.0, 40.0)], 130.0),
            line(&[("10.30", 0.0, 40.0)], 160.0),
            line(&[("කැඳවීම", 0.0, 40.0)], 300.0),
            line(&[("14", 0.0, 40.0)], 395.0),
        ];
        assert_eq!(rows(&lines, 1.0, 410), [94..186, 389..410]);
        assert_eq!(rows(&lines, 0.85, 410), Vec::<Range<u32>>::new(), "sure enough");
        assert_eq!(rows(&lines[3..4], 1.0, 410), Vec::<Range<u32>>::new());
        assert_eq!(rows(&lines[4..], 1.0, 380), Vec::<Range<u32>>::new(), "beyond the picture");
    }
}
