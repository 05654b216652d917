//! Tamil words that a text layer split after a zero-width mark: `வடக் கு`. A value with a split
//! word is doubtful, although its letters are right. Only names in the gazetteer are repaired.

use crate::extract::Gazetteer;

/// The pulli, which removes the vowel of a consonant. Some text layers split words after this
/// mark.
const PULLI: char = '\u{BCD}';
/// The maximum number of possible splits in a name that are tried in all combinations.
const MAX_SPLITS: usize = 6;
/// Tamil words do not begin with these letters.
const NEVER_FIRST: [char; 5] = ['ண', 'ன', 'ற', 'ள', 'ழ'];
/// Word endings that are not words by themselves.
const ENDINGS: [&str; 14] = [
    "தல்",
    "தலும்",
    "குதல்",
    "குதலும்",
    "துதல்",
    "துதலும்",
    "கள்",
    "குகள்",
    "களின்",
    "களுக்கு",
    "குகளும்",
    "கான",
    "திற்கான",
    "தின்",
];

/// Whether a text seems to have a split word.
pub(crate) fn has_split_word(text: &str, gazetteer: &Gazetteer) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        first.ends_with(PULLI) && (is_word_rest(second) || names_place_when_joined(first, second, gazetteer))
    })
}

/// The name in the gazetteer that results from joining split words.
pub(crate) fn repair_name(name: &str, gazetteer: &Gazetteer) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let last = words.len().saturating_sub(1);
    let splits: Vec<usize> = (0..last).filter(|at| words[*at].ends_with(PULLI)).take(MAX_SPLITS).collect();
    (1..1_u32 << splits.len()).find_map(|chosen| {
        let is_joined = |at: usize| {
            splits.iter().position(|split| *split == at).is_some_and(|bit| chosen >> bit & 1 == 1)
        };
        let mut joined = String::new();
        for (at, word) in words.iter().enumerate() {
            joined.push_str(word);
            if at < last && !is_joined(at) {
                joined.push(' ');
            }
        }
        gazetteer.has_exact_name(&joined).then_some(joined)
    })
}

/// Whether a word can only be the rest of another word.
fn is_word_rest(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_tamil = |letter: char| ('\u{B80}'..='\u{BFF}').contains(&letter);
    let letters =
        word.chars().filter(|letter| is_tamil(*letter) && letter.is_alphabetic() && !is_mark(*letter));
    word.starts_with(NEVER_FIRST)
        || letters.count() == 1 && word.chars().all(is_tamil)
        || ENDINGS.contains(&word)
}

/// Whether a letter is a vowel sign or the pulli.
fn is_mark(letter: char) -> bool {
    ('\u{BBE}'..='\u{BCD}').contains(&letter) || letter == '\u{BD7}'
}

/// Whether two words name more places when joined than when separate.
fn names_place_when_joined(first: &str, second: &str, gazetteer: &Gazetteer) -> bool {
    let named = |text: &str| gazetteer.mentions(text).len();
    named(&format!("{first}{second}")) > named(&format!("{first} {second}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("வவுனியா வடக் கு பிரதேச சபை", true)]
    #[case("வவுனியா வடக்கு பிரதேச சபை", false)]
    #[case("கதிர் காமம் பிரதேச சபை", true)]
    #[case("கதிர்காமம் பிரதேச சபை", false)]
    #[case("வீதி விளக் குகள் வழங்குதலும் பொருத்துதலும்", true)]
    #[case("நூலகத்திற்கான பாதுகாப்புச் சேவை", false)]
    #[case("உள் ளக வீதிகளுக்கு தார் இடுதல்", true)]
    #[case("Supply of pipes", false)]
    fn a_split_word_is_detected(#[case] text: &str, #[case] is_split: bool) {
        assert_eq!(has_split_word(text, Gazetteer::built_in()), is_split);
    }

    #[test]
    fn a_listed_name_is_repaired() {
        let repair = |name: &str| repair_name(name, Gazetteer::built_in());
        assert_eq!(repair("வீதி அபிவிருத் தி அதிகார சபை").as_deref(), Some("வீதி அபிவிருத்தி அதிகார சபை"));
        assert_eq!(repair("கதிர் காமம் பிரதேச சபை"), None);
        assert_eq!(repair(""), None);
    }
}
