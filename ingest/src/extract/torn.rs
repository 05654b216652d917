//! Tamil words that a text layer tore behind a mark of no width: `வடக் கு`. What holds one is a misprint of the layer, though every letter is
//! right; nothing is mended here.

use super::Gazetteer;

/// The sign that takes a consonant's vowel away; layers tear behind it.
const PULLI: char = '\u{BCD}';
/// No word begins with these.
const NEVER_FIRST: [char; 5] = ['ண', 'ன', 'ற', 'ள', 'ழ'];
/// Ends of words that are none by themselves.
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

/// Whether two words of a text are but one.
pub(super) fn is_torn(text: &str, gazetteer: &Gazetteer) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        first.ends_with(PULLI) && (is_rest(second) || names_a_place(first, second, gazetteer))
    })
}

/// Whether a word can't stand by itself.
fn is_rest(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_tamil = |letter: char| ('\u{B80}'..='\u{BFF}').contains(&letter);
    let letters =
        word.chars().filter(|letter| is_tamil(*letter) && letter.is_alphabetic() && !is_mark(*letter));
    word.starts_with(NEVER_FIRST)
        || letters.count() == 1 && word.chars().all(is_tamil)
        || ENDINGS.contains(&word)
}

/// Vowel signs and the pulli, which stand on a letter.
fn is_mark(letter: char) -> bool {
    ('\u{BBE}'..='\u{BCD}').contains(&letter) || letter == '\u{BD7}'
}

/// Whether a place is named by both together that neither names.
fn names_a_place(first: &str, second: &str, gazetteer: &Gazetteer) -> bool {
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
    fn a_torn_word_is_seen(#[case] text: &str, #[case] torn: bool) {
        assert_eq!(is_torn(text, Gazetteer::built_in()), torn);
    }
}
