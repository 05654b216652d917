//! Corrects unknown Sinhala and Tamil words. On scans, four of five unknown Sinhala words and one
//! of three unknown Tamil words are misread. An unknown word at edit distance one from exactly one
//! known word is usually a misreading of that word.

use crate::{
    base::Word,
    base::lexicon::{Lexicon, is_native},
    ocr::ClipText,
};
use tender_model::vocabulary::Language;

/// An unknown word of a Sinhala text is kept if it has at least this confidence.
const MIN_KEPT_SINHALA: f64 = 0.93;
/// An unknown word of a Tamil text is kept if it has at least this confidence. Tamil words are
/// longer than Sinhala words, and more of them are unknown.
const MIN_KEPT_TAMIL: f64 = 0.85;
/// The highest confidence of a corrected word.
const MAX_CORRECTED_CONFIDENCE: f64 = 0.45;

/// Replaces misread words of a Sinhala or Tamil text by the known words that were meant, with low
/// confidence. What was read becomes the second choice, unless the word has one. Also splits words
/// from the numbers behind them.
pub(super) fn correct(mut text: ClipText) -> ClipText {
    let sure = match text.language {
        Language::English => return text,
        Language::Sinhala => MIN_KEPT_SINHALA,
        Language::Tamil => MIN_KEPT_TAMIL,
    };
    let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
    for cell in lines.flat_map(|line| &mut line.cells) {
        *cell = std::mem::take(cell).into_iter().flat_map(split_number).collect();
    }
    let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
    for word in lines.flat_map(|line| line.cells.iter_mut().flatten()) {
        if word.confidence < sure
            && let Some(meant) = Lexicon::built_in().correction(&word.text)
        {
            let read = std::mem::replace(&mut word.text, meant);
            word.second_choice.get_or_insert(read);
            word.confidence = word.confidence.min(MAX_CORRECTED_CONFIDENCE);
        }
    }
    text
}

/// Splits a word from the number behind it if OCR joined them, as in `நேரமும்23.04.2027`.
fn split_number(word: Word) -> Vec<Word> {
    let letters = word.text.char_indices().zip(word.text.chars().skip(1));
    let mut joints = letters.filter(|((_, letter), next)| is_native(*letter) && next.is_ascii_digit());
    let Some(((at, letter), _)) = joints.next() else { return vec![word] };
    let (first, second) = word.text.split_at(at + letter.len_utf8());
    let share = first.chars().count() as f64 / word.text.chars().count() as f64;
    let [x, y, width, height] = word.area;
    let part = |text: &str, area| Word::new(text.to_owned(), area, word.confidence);
    vec![
        part(first, [x, y, width * share, height]),
        part(second, [x + width * share, y, width * (1.0 - share), height]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corrected words and their confidences, for a text whose words have the confidence
    /// `sure`.
    fn words(text: &str, sure: f64) -> Vec<(String, f64)> {
        let mut text = ClipText::from_plain(text);
        let lines = text.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.lines);
        lines.flat_map(|line| line.cells.iter_mut().flatten()).for_each(|word| word.confidence = sure);
        correct(text).words().map(|word| (word.text.clone(), word.confidence)).collect()
    }

    #[test]
    fn an_unknown_word_is_corrected_and_doubtful() {
        let read = words("මාර්ග සංවර්ධන දෙපාර්තමෙන්තුව,", 0.8);
        assert_eq!(read[2], ("දෙපාර්තමේන්තුව,".to_owned(), MAX_CORRECTED_CONFIDENCE));
        assert_eq!(read[0], ("මාර්ග".to_owned(), 0.8), "known");
        let mut text = ClipText::from_plain("දෙපාර්තමෙන්තුව,");
        text.paragraphs[0].lines[0].cells[0][0].confidence = 0.8;
        let second = correct(text).words().map(|word| word.second_choice.clone()).collect::<Vec<_>>();
        assert_eq!(second, [Some("දෙපාර්තමෙන්තුව,".to_owned())]);
    }

    #[test]
    fn a_number_is_split_from_a_word() {
        let read = words("நேரமும்23.04.2027 மு.ப. 10.30 G/2027/12", 0.9);
        let read: Vec<&str> = read.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(read, ["நேரமும்", "23.04.2027", "மு.ப.", "10.30", "G/2027/12"]);
        let word = Word::new("දින12".to_owned(), [0.1, 0.2, 0.5, 0.01], 0.9);
        let parts: Vec<[f64; 4]> = split_number(word).into_iter().map(|word| word.area).collect();
        assert_eq!(parts, [[0.1, 0.2, 0.3, 0.01], [0.4, 0.2, 0.2, 0.01]]);
    }

    #[test]
    fn confident_and_english_words_are_kept() {
        assert_eq!(words("මාර්ග සංවර්ධන දෙපාර්තමෙන්තුව", 0.95)[2].1, 0.95);
        assert_eq!(words("Road Developmant Authority", 0.5)[1], ("Developmant".to_owned(), 0.5));
    }
}
