//! Reads clips a second time with the built-in recogniser. The built-in recogniser makes other
//! errors than Tesseract, so a word or number that both read alike is almost always right. In
//! Sinhala and Tamil, the reading with more letters in known words is kept. In English, the
//! reading of Tesseract is kept, and only its uncertain lines are read again.

use super::{
    alignment::{bare_word, is_in_row, keep_second_choice, text_at},
    clip_image::ClipImage,
};
use crate::{
    base::lexicon::{Lexicon, is_native},
    layout::{TextLine, text_lines},
    ocr::{
        AGREED, OcrError,
        placed_word::PlacedWord,
        recogniser::{LineImage, Recogniser},
    },
};
use rayon::prelude::*;

/// The highest confidence of a word or number that neither the other recogniser nor the lexicon
/// confirms.
const MAX_DISAGREEING: f64 = 0.85;
/// The highest confidence of a word if both recognisers read a known word, but not the same one.
const MAX_BOTH_KNOWN: f64 = 0.45;
/// The second reading is kept if the number of its letters in known words is more than this
/// multiple of the number in the first reading.
const SECOND_BETTER_FACTOR: f64 = 1.02;
/// A line that only the other reading has is added if it has at least this many letters in words
/// with at least the confidence [`MIN_ACCEPTED`].
const MIN_LETTERS: usize = 4;
/// The lowest confidence of a word whose letters count for [`MIN_LETTERS`].
const MIN_ACCEPTED: f64 = 0.6;
/// Words of two readings are at one position if they share more than this fraction of the narrower
/// width.
const MIN_SHARED_WIDTH: f64 = 0.3;
/// An English word with less confidence is read again.
const MIN_CERTAIN: f64 = 0.8;

/// Reads the lines that `is_wanted` selects with the built-in recogniser. `is_wanted` gets the
/// index of the image and a line.
pub(super) fn read_lines(
    pictures: &[&ClipImage<'_>],
    is_wanted: impl Fn(usize, &TextLine) -> bool + Sync,
) -> Result<Vec<Vec<Vec<PlacedWord>>>, OcrError> {
    let lines_of = |(at, picture): (usize, &&ClipImage<'_>)| {
        let lines = text_lines(picture.image(), picture.per_mm());
        lines.into_iter().filter(|line| is_wanted(at, line)).collect::<Vec<_>>()
    };
    let lines: Vec<_> = pictures.par_iter().enumerate().map(lines_of).collect();
    let numbers: Vec<usize> =
        lines.iter().enumerate().flat_map(|(at, lines)| vec![at; lines.len()]).collect();
    let of_pictures: Vec<LineImage<'_>> = numbers
        .iter()
        .zip(lines.iter().flatten())
        .map(|(at, line)| LineImage { picture: pictures[*at].image(), line: *line })
        .collect();
    let area = |nth: usize, place| pictures[numbers[nth]].area(place);
    let mut read = Recogniser::built_in()?.read(&of_pictures, area)?.into_iter();
    let of_picture =
        lines.iter().map(|lines| read.by_ref().take(lines.len()).filter(|line| !line.is_empty()).collect());
    Ok(of_picture.collect())
}

/// Whether an uncertain word of the reading `lines` is on a text line.
pub(super) fn has_uncertain_word(lines: &[Vec<PlacedWord>], line: &TextLine) -> bool {
    let [left, top, right, bottom] = line.area.map(f64::from);
    lines.iter().flatten().any(|placed| {
        let [from, above, to, below] = placed.place;
        let (across, along) = (f64::midpoint(from, to), f64::midpoint(above, below));
        is_uncertain(placed) && (left..right).contains(&across) && (top..bottom).contains(&along)
    })
}

fn is_uncertain(placed: &PlacedWord) -> bool {
    placed.word.confidence < MIN_CERTAIN && placed.word.text.contains(char::is_alphanumeric)
}

/// Raises the confidence of uncertain English words that the second reading confirms. Otherwise, the
/// second reading of the word becomes its second choice.
pub(super) fn confirm_uncertain_words(lines: &mut [Vec<PlacedWord>], second: &[Vec<PlacedWord>]) {
    for placed in lines.iter_mut().flatten().filter(|placed| is_uncertain(placed)) {
        let said = text_at(second, placed);
        if bare_word(&placed.word.text) == bare_word(&said) {
            placed.word.confidence = AGREED;
        } else {
            keep_second_choice(&mut placed.word, &said);
        }
    }
}

/// Limits the confidence of Sinhala and Tamil words that were read only once.
pub(super) fn cap_confidence(lines: &mut [Vec<PlacedWord>]) {
    for placed in lines.iter_mut().flatten() {
        placed.word.confidence = placed.word.confidence.min(MAX_DISAGREEING);
    }
}

/// The readings of a clip by Tesseract and by the built-in recogniser.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadingPair {
    /// The better reading with combined confidences, and the lines that only the other reading
    /// has.
    pub(super) kept: Vec<Vec<PlacedWord>>,
    /// The reading that is not kept.
    pub(super) other: Vec<Vec<PlacedWord>>,
    /// Whether the kept reading comes from the built-in recogniser.
    pub(super) is_second: bool,
}

/// Merges the reading `first` of Tesseract and the reading `second` of the built-in recogniser.
pub(super) fn merge_readings(first: Vec<Vec<PlacedWord>>, second: Vec<Vec<PlacedWord>>) -> ReadingPair {
    let is_second = known_letters(&second) as f64 > SECOND_BETTER_FACTOR * known_letters(&first) as f64;
    let (mut kept, other) = if is_second { (second, first) } else { (first, second) };
    let missing = other.iter().filter(|line| is_missing(line, &kept)).cloned().collect::<Vec<_>>();
    for line in &mut kept {
        let read: Vec<(String, bool)> = line
            .iter()
            .map(|placed| (text_at(&other, placed), is_read_alike(placed, line, &other)))
            .collect();
        line.iter_mut()
            .zip(&read)
            .for_each(|(placed, (said, is_alike))| combine_word(placed, said, *is_alike));
    }
    for mut line in missing {
        line.iter_mut()
            .for_each(|placed| placed.word.confidence = placed.word.confidence.min(MAX_DISAGREEING));
        kept.push(line);
    }
    ReadingPair { kept, other, is_second }
}

/// Whether a line has enough certain letters, and the other reading has nothing at its position.
fn is_missing(line: &[PlacedWord], other: &[Vec<PlacedWord>]) -> bool {
    let letters = |placed: &&PlacedWord| placed.word.text.chars().filter(|c| c.is_alphanumeric()).count();
    let believed = line.iter().filter(|placed| placed.word.confidence >= MIN_ACCEPTED);
    believed.map(|placed| letters(&placed)).sum::<usize>() >= MIN_LETTERS
        && line.iter().all(|placed| text_at(other, placed).is_empty())
}

/// Whether the other reading has the same letters at the position of a word. The two readings may
/// split words differently.
fn is_read_alike(placed: &PlacedWord, line: &[PlacedWord], other: &[Vec<PlacedWord>]) -> bool {
    let there: Vec<&PlacedWord> = other
        .iter()
        .flatten()
        .filter(|word| is_in_row(word, placed) && overlap_horizontally(word, placed))
        .collect();
    let edge = |pick: fn(f64, f64) -> f64, at: usize| {
        there.iter().map(|word| word.place[at]).fold(placed.place[at], pick)
    };
    let span = edge(f64::min, 0)..edge(f64::max, 2);
    let is_within = |word: &&PlacedWord| span.contains(&f64::midpoint(word.place[0], word.place[2]));
    let joined = |mut words: Vec<&PlacedWord>| {
        words.sort_by(|a, b| a.place[0].total_cmp(&b.place[0]));
        bare_word(&words.iter().map(|word| word.word.text.as_str()).collect::<String>()).to_owned()
    };
    let own = joined(line.iter().filter(is_within).collect());
    !own.is_empty() && own == joined(there)
}

/// Whether the boxes of two words overlap horizontally.
fn overlap_horizontally(one: &PlacedWord, two: &PlacedWord) -> bool {
    let shared = one.place[2].min(two.place[2]) - one.place[0].max(two.place[0]);
    let narrower = (one.place[2] - one.place[0]).min(two.place[2] - two.place[0]);
    shared > MIN_SHARED_WIDTH * narrower
}

/// Combines a word with `said`, the text of the other reading. Agreement raises the confidence,
/// and a known word replaces an unknown word. Both recognisers can miss the same faint mark, so
/// agreement on an unknown word that may lack a mark does not count. The text that is not kept
/// becomes the second choice of a doubtful word.
fn combine_word(placed: &mut PlacedWord, said: &str, is_alike: bool) {
    let word = &mut placed.word;
    let (own, other) = (bare_word(&word.text).to_owned(), bare_word(said));
    let lexicon = Lexicon::built_in();
    let [knows_own, knows_other] =
        [own.as_str(), other].map(|word| word.contains(is_native) && lexicon.knows(word));
    let is_same = own == other || is_alike;
    if is_same && !lexicon.may_lack_a_mark(&own) || knows_own && !knows_other {
        word.confidence = word.confidence.max(AGREED);
    } else {
        let most = if knows_own && knows_other { MAX_BOTH_KNOWN } else { MAX_DISAGREEING };
        word.confidence = word.confidence.min(most);
        if knows_other && !knows_own && own.contains(is_native) {
            word.text = word.text.replacen(&own, other, 1);
            keep_second_choice(word, &own);
        } else {
            keep_second_choice(word, other);
        }
    }
}

/// The number of letters in known Sinhala and Tamil words.
fn known_letters(lines: &[Vec<PlacedWord>]) -> usize {
    let words = lines.iter().flatten().map(|placed| placed.word.text.as_str());
    let known = words.filter(|word| word.contains(is_native) && Lexicon::built_in().knows(word));
    known.map(|word| word.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Word;

    fn line(words: &[&str]) -> Vec<Vec<PlacedWord>> {
        let placed = |(nth, text): (usize, &&str)| PlacedWord {
            word: Word::new((*text).to_owned(), [0.0; 4], 0.9),
            place: [nth as f64 * 100.0, 10.0, nth as f64 * 100.0 + 80.0, 30.0],
        };
        vec![words.iter().enumerate().map(placed).collect()]
    }

    /// The combined words of two readings, with their confidences.
    fn words(first: &[&str], second: &[&str]) -> Vec<(String, f64)> {
        let kept = merge_readings(line(first), line(second)).kept;
        kept.into_iter().flatten().map(|placed| (placed.word.text, placed.word.confidence)).collect()
    }

    #[test]
    fn the_reading_with_more_known_words_is_kept() {
        let read = words(&["ලංසු", "කැඳවිම", "සභාච"], &["ලංසු", "කැඳවීම", "සභාව"]);
        assert_eq!(read[2].0, "සභාව");
        assert_eq!(read[0], ("ලංසු".to_owned(), AGREED));
    }

    #[test]
    fn agreeing_words_are_certain_and_known_words_are_preferred() {
        let read = words(&["ලංසු", "සභාච", "ගඩුවල", "2027.04.01"], &["ලංසු", "සභාව,", "ගඩුවල", "2027.04.07"]);
        assert_eq!(read[2], ("ගඩුවල".to_owned(), AGREED), "unknown, but both readings agree");
        assert_eq!(read[3].1, MAX_DISAGREEING);
        let read = words(&["ලංසු", "කැඳවීම", "සභාච"], &["ලංසු", "කැඳවී", "සභාව"]);
        assert_eq!(read[2], ("සභාව".to_owned(), MAX_DISAGREEING));
        let read = words(&["ලංසු", "දෙපාර්තමෙන්තුව"], &["ලංසු", "දෙපාර්තමෙන්තුව"]);
        assert_eq!(read[1].1, MAX_DISAGREEING, "nearly a known word");
    }

    #[test]
    fn words_that_are_split_differently_agree() {
        let placed = |text: &str, left, right| PlacedWord {
            word: Word::new(text.to_owned(), [0.0; 4], 0.7),
            place: [left, 10.0, right, 30.0],
        };
        let first = vec![vec![
            placed("JA", 0.0, 20.0),
            placed("/PS-74-2027", 26.0, 120.0),
            placed("ගඩුව", 130.0, 160.0),
        ]];
        let second = vec![vec![placed("JA/PS-74-2027", 1.0, 119.0), placed("හඩුව", 130.0, 160.0)]];
        let kept = merge_readings(first, second).kept.remove(0);
        let sure: Vec<f64> = kept.iter().map(|placed| placed.word.confidence).collect();
        assert_eq!(sure, [AGREED, AGREED, 0.7]);
    }

    #[test]
    fn uncertain_words_are_found_and_confirmed() {
        let mut lines = line(&["Bids", "2027"]);
        lines[0][0].word.confidence = 0.6;
        let on = |area| TextLine { area, letters: [10, 30] };
        assert!(has_uncertain_word(&lines, &on([0, 0, 90, 40])));
        assert!(!has_uncertain_word(&lines, &on([95, 0, 200, 40])), "its words are certain");
        let mut once = line(&["ලංසු"]);
        cap_confidence(&mut once);
        assert_eq!(once[0][0].word.confidence, MAX_DISAGREEING);
        confirm_uncertain_words(&mut lines, &line(&["Bids,", "2021"]));
        assert_eq!(lines[0][0].word.confidence, AGREED);
        assert_eq!(lines[0][1].word.confidence, 0.9, "not read a second time");
    }

    #[test]
    fn a_doubtful_word_keeps_the_other_reading() {
        let second = |lines: Vec<Vec<PlacedWord>>| {
            let words = lines.into_iter().flatten();
            words.map(|placed| placed.word.second_choice).collect::<Vec<_>>()
        };
        let some = |word: &str| Some(word.to_owned());
        let mut lines = line(&["Gaile", "Bids", "2027"]);
        lines[0].iter_mut().for_each(|placed| placed.word.confidence = 0.6);
        confirm_uncertain_words(&mut lines, &line(&["Galle", "Bids", ""]));
        assert_eq!(second(lines), [some("Galle"), None, None]);
        let first = line(&["ලංසු", "සභාච,", "කැඳවීම", "2027.04.01"]);
        let kept = merge_readings(first, line(&["ලංසු", "සභාව", "කැඳවී", "2027.04.07"])).kept;
        assert_eq!(kept[0][1].word.text, "සභාව,");
        assert_eq!(second(kept), [None, some("සභාච,"), None, some("2027.04.07")]);
    }

    #[test]
    fn a_line_of_the_other_reading_is_added() {
        let mut second = line(&["ලංසු", "කැඳවීම"]);
        second.extend(line(&["සභාව"]).into_iter().map(|mut line| {
            line.iter_mut().for_each(|placed| (placed.place[1], placed.place[3]) = (60.0, 80.0));
            line
        }));
        let ReadingPair { kept, is_second, .. } = merge_readings(line(&["ලංසු", "කැඳවීම", "සභාව"]), second);
        assert!(!is_second);
        assert_eq!(kept.len(), 2);
        assert_eq!((kept[1][0].word.text.as_str(), kept[1][0].word.confidence), ("සභාව", MAX_DISAGREEING));
    }

    #[test]
    fn empty_readings_are_harmless() {
        assert_eq!(merge_readings(Vec::new(), Vec::new()).kept.len(), 0);
        assert_eq!(words(&["ලංසු", "ගඩුවල"], &[])[1], ("ගඩුවල".to_owned(), MAX_DISAGREEING));
    }
}
