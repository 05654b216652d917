//! Words of Sinhala and Tamil that are none. On scans, four of five unknown words in Sinhala are misread, and one of three in Tamil; most of those that
//! one known word is a letter or a mark away from were meant to be that one.

use crate::{
    base::Word,
    base::lexicon::{Lexicon, is_native},
    ocr::ClipText,
};
use index::vocabulary::Language;

/// A word that is unknown and was read as surely as this may be a word all the same; in Tamil, words are longer and more of them unknown.
const SURE_SINHALA: f64 = 0.93;
/// See [`SURE_SINHALA`].
const SURE_TAMIL: f64 = 0.85;
/// How sure a word is at most that was mended.
const CORRECTED: f64 = 0.45;

/// A text whose words of Sinhala and Tamil are the known ones that were meant, each doubtful where it was read otherwise.
pub(super) fn corrected(mut text: ClipText) -> ClipText {
    let sure = match text.language {
        Language::English => return text,
        Language::Sinhala => SURE_SINHALA,
        Language::Tamil => SURE_TAMIL,
    };
    let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
    for cell in lines.flat_map(|line| &mut line.cells) {
        *cell = std::mem::take(cell).into_iter().flat_map(parted).collect();
    }
    let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
    for word in lines.flat_map(|line| line.cells.iter_mut().flatten()) {
        if word.confidence < sure
            && let Some(meant) = Lexicon::built_in().corrected(&word.text)
        {
            word.text = meant;
            word.confidence = word.confidence.min(CORRECTED);
        }
    }
    text
}

/// A word, or two where recognition ran a word and the number behind it together: `நேரமும்23.04.2027`.
fn parted(word: Word) -> Vec<Word> {
    let letters = word.text.char_indices().zip(word.text.chars().skip(1));
    let mut joints = letters.filter(|((_, letter), next)| is_native(*letter) && next.is_ascii_digit());
    let Some(((at, letter), _)) = joints.next() else { return vec![word] };
    let (first, second) = word.text.split_at(at + letter.len_utf8());
    let share = first.chars().count() as f64 / word.text.chars().count() as f64;
    let [x, y, width, height] = word.area;
    let part = |text: &str, area| Word { text: text.to_owned(), area, confidence: word.confidence };
    vec![
        part(first, [x, y, width * share, height]),
        part(second, [x + width * share, y, width * (1.0 - share), height]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text that was read so surely, and how sure each is.
    fn words(text: &str, sure: f64) -> Vec<(String, f64)> {
        let mut text = ClipText::from_plain(text);
        let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
        lines.flat_map(|line| line.cells.iter_mut().flatten()).for_each(|word| word.confidence = sure);
        corrected(text).words().map(|word| (word.text.clone(), word.confidence)).collect()
    }

    #[test]
    fn an_unknown_word_becomes_the_known_one_that_was_meant_and_is_doubtful() {
        let read = words("මාර්ග සංවර්ධන දෙපාර්තමෙන්තුව,", 0.8);
        assert_eq!(read[2], ("දෙපාර්තමේන්තුව,".to_owned(), CORRECTED));
        assert_eq!(read[0], ("මාර්ග".to_owned(), 0.8), "known");
    }

    #[test]
    fn a_number_run_into_a_word_stands_apart() {
        let read = words("நேரமும்23.04.2027 மு.ப. 10.30 G/2027/12", 0.9);
        let read: Vec<&str> = read.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(read, ["நேரமும்", "23.04.2027", "மு.ப.", "10.30", "G/2027/12"]);
        let word = Word { text: "දින12".to_owned(), area: [0.1, 0.2, 0.5, 0.01], confidence: 0.9 };
        let parts: Vec<[f64; 4]> = parted(word).into_iter().map(|word| word.area).collect();
        assert_eq!(parts, [[0.1, 0.2, 0.3, 0.01], [0.4, 0.2, 0.2, 0.01]]);
    }

    #[test]
    fn what_was_read_surely_or_in_english_stays() {
        assert_eq!(words("මාර්ග සංවර්ධන දෙපාර්තමෙන්තුව", 0.95)[2].1, 0.95);
        assert_eq!(words("Road Developmant Authority", 0.5)[1], ("Developmant".to_owned(), 0.5));
    }
}
