//! The words that the notice wants on the envelope.

use super::{
    sentences::{MAX_QUOTE, Sentence},
    submission::sentences_of,
};
use crate::tender::Tender;

/// Phrases of the sentence that says what is written on the envelope.
const MARKED: [&str; 16] = [
    "top left hand corner",
    "left hand corner",
    "left hand top corner",
    "upper left",
    "superscribed",
    "clearly marked",
    "marked on the envelope",
    "bids marked",
    "tenders marked",
    "quotations marked",
    "proposals marked",
    "cover marked",
    "envelope marked",
    "envelopes marked",
    "envelope bearing",
    "cover bearing",
];
/// The signs that open and close quoted words.
const QUOTES: [char; 3] = ['"', '“', '”'];
/// The most words between the quoted ones and the number or the corner that belongs to them.
const MAX_WORDS: usize = 12;

/// What is written on the envelope, in the words of the notice. `None`: the notice quotes no words.
#[must_use]
pub fn marking(tender: &Tender) -> Option<String> {
    quoted_words(&marked_sentence(&sentences_of(tender))?.text)
}

/// The sentence that says what is written on the envelope, if it is short enough to be quoted.
pub(super) fn marked_sentence(sentences: &[Sentence]) -> Option<&Sentence> {
    sentences.iter().find(|one| one.has(&MARKED) && one.text.chars().count() <= MAX_QUOTE)
}

/// The part of a sentence from its first quoted words to the number and the corner that belong to them.
pub(super) fn quoted_words(sentence: &str) -> Option<String> {
    let (start, _) = sentence.match_indices(QUOTES).next()?;
    let (end, last) = sentence.match_indices(QUOTES).next_back().filter(|(end, _)| *end > start)?;
    let end = end + last.len();
    let after: Vec<&str> = sentence[end..].split_whitespace().take(MAX_WORDS).collect();
    let bare = |word: &str| word.trim_end_matches([',', '.', ';']).to_lowercase();
    let corner = after.iter().position(|word| bare(word) == "corner");
    let number = after.iter().position(|word| word.chars().filter(|sign| *sign == '/').count() > 1);
    let taken = corner.or(number).map_or(0, |at| at + 1);
    let mut found = sentence[start..end].to_owned();
    for word in after.iter().take(taken) {
        if !word.starts_with([',', ';']) {
            found.push(' ');
        }
        found.push_str(word);
    }
    let found = found.trim_end_matches([',', '.', ';']);
    // Words that stand alone need no quotation marks.
    let bare = found.trim_matches(QUOTES);
    Some(if bare.contains(QUOTES) || taken > 0 { with_inner_quotes(found) } else { bare.to_owned() })
}

/// Puts quoted words into single quotation marks, because readers see the whole within double ones.
fn with_inner_quotes(words: &str) -> String {
    let mut parts = words.split(QUOTES);
    let mut found = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        found.push(if at % 2 == 0 { '‘' } else { '’' });
        found.push_str(part);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quoted_words_come_with_their_number_and_corner() {
        for (sentence, words) in [
            (
                "Duly completed tenders under registered cover, with the words \"Roof at Lahugala\" and No. \
                LAH/26/39 on the left hand corner, will be accepted up to 10.00 a.m.",
                "‘Roof at Lahugala’ and No. LAH/26/39 on the left hand corner",
            ),
            ("Quotations marked \"KIL/UC/26/76\" should be placed in the tender box.", "KIL/UC/26/76"),
            ("Envelopes marked “Roof”, No. A/B/1, shall reach this office.", "‘Roof’, No. A/B/1"),
        ] {
            assert_eq!(quoted_words(sentence).as_deref(), Some(words));
        }
        for sentence in ["The envelope bearing the above number shall reach this office.", "A 24\" pipe", ""]
        {
            assert_eq!(quoted_words(sentence), None, "{sentence}");
        }
    }
}
