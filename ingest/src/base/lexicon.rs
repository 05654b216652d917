//! Known Sinhala and Tamil words of notices, trades, places and public bodies. OCR reports high
//! confidence for wrong letters, but a misread word is rarely another known word. So a known word
//! was almost always read correctly, and an unknown word was misread more often than not.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};
use tender_model::vocabulary::gazetteer;
use unicode_normalization::UnicodeNormalization;

/// The words of `fixtures/notice-texts`, one per line. `cargo run -p ingest --example words` writes
/// them.
pub const NOTICE_WORDS: &str = include_str!("lexicon/words.txt");

/// Common words of works, goods and services, one per line. They are not taken from notices.
const TRADE_WORDS: &str = include_str!("lexicon/trades.txt");

/// Words with fewer letters and marks are not corrected, because too many of them are one letter
/// apart.
const MIN_CORRECTED_LENGTH: usize = 5;

/// Suffixes by inflection class: one known form of a word makes its other forms known. If a class
/// has the empty suffix, no other suffix of it is a single mark.
const SUFFIX_CLASSES: [&[&str]; 11] = [
    // Sinhala: මධ්‍යස්ථානය, මධ්‍යස්ථානයේ; සේවා, සේවාව; ගොඩනැගිලි, ගොඩනැගිල්ල;
    // සැපයීම, සැපයීමේ; සැපයුම්කරු, සැපයුම්කරුවන්.
    &["ය", "යේ", "යට", "යෙන්", "යෙහි", "යක්", "යක", "යේදී", "යන්", "යන්හි", "වල", "වලට", "වලින්"],
    &["", "ව", "වේ", "වට", "වෙන්", "වක්", "වක", "වන්", "වල", "වලට", "වලින්"],
    &["ලි", "ල්ල", "ල්ලේ", "ල්ලට", "ල්ලෙන්", "ල්ලක්", "ල්ලක", "ලිවල"],
    &["ීම", "ීමේ", "ීමට", "ීමෙන්", "ීමක්", "ීම්"],
    &["රු", "රුවන්", "රුවන්ගේ", "රුවන්ට", "රුවන්ගෙන්"],
    // Tamil: வீதி, வீதிகளுக்கு; நூலகம், நூலகத்திற்கான; வழங்கல், வழங்கலும்;
    // விளக்கு, விளக்குகள்; வீடு, வீட்டின்; ஆறு, ஆற்றின்.
    &[
        "",
        "யை",
        "யின்",
        "யில்",
        "யும்",
        "யிலுள்ள",
        "க்கு",
        "க்கான",
        "கள்",
        "களை",
        "களின்",
        "களுக்கு",
        "களுக்கான",
        "களில்",
        "களும்",
        "க்கள்",
        "க்களை",
        "க்களின்",
        "க்களுக்கு",
    ],
    &[
        "ம்",
        "மும்",
        "த்தை",
        "த்தின்",
        "த்தில்",
        "த்திற்கு",
        "த்திற்கான",
        "த்துக்கு",
        "த்துக்கான",
        "த்திலுள்ள",
        "ங்கள்",
        "ங்களை",
        "ங்களின்",
        "ங்களுக்கு",
        "ங்களுக்கான",
        "ங்களில்",
        "ங்களும்",
    ],
    &["்", "ின்", "ில்", "ும்", "ினை", "ுக்கு", "ுக்கான", "ிலுள்ள"],
    &["ு", "ின்", "ில்", "ும்", "ினை", "ுக்கு", "ுக்கான", "ுகள்", "ுகளை", "ுகளின்", "ுகளுக்கு", "ுகளுக்கான"],
    &["டு", "ட்டை", "ட்டின்", "ட்டில்", "ட்டிற்கு", "டுகள்", "டுகளின்"],
    &["று", "ற்றை", "ற்றின்", "ற்றில்", "ற்றுக்கு", "றுகள்", "றுகளின்"],
];
/// The shortest stem, in letters and marks.
const MIN_STEM_LENGTH: usize = 3;

/// A set of known words.
#[derive(Debug, Default)]
pub struct Lexicon {
    words: BTreeSet<String>,
    /// The stems of the words, each with the index of its suffix class.
    stems: BTreeSet<(usize, String)>,
    /// The words by the text that remains after one letter or mark is deleted. Finds words at edit
    /// distance one.
    by_deletion: BTreeMap<String, Vec<String>>,
}

static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| {
    let of_texts = NOTICE_WORDS.lines().map(str::to_owned);
    Lexicon::of(
        of_texts.chain(TRADE_WORDS.lines().flat_map(words)).chain(gazetteer::native_names().flat_map(words)),
    )
});

impl Lexicon {
    /// The built-in lexicon.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Builds a lexicon.
    fn of(words: impl Iterator<Item = String>) -> Self {
        let mut lexicon = Self { words: words.collect(), ..Self::default() };
        for word in &lexicon.words {
            lexicon.stems.extend(stems(word).map(|(class, stem)| (class, stem.to_owned())));
            for rest in deletions(word) {
                lexicon.by_deletion.entry(rest).or_default().push(word.clone());
            }
        }
        lexicon
    }

    /// Whether every Sinhala or Tamil word of a text is known in some inflected form. Joiners and
    /// punctuation are ignored.
    #[must_use]
    pub fn knows(&self, text: &str) -> bool {
        words(text).all(|word| self.has(&word))
    }

    /// Whether a normalised word is known, or shares a stem and suffix class with a known word.
    fn has(&self, word: &str) -> bool {
        self.words.contains(word)
            || stems(word).any(|(class, stem)| self.stems.contains(&(class, stem.to_owned())))
    }

    /// Returns the correction of an unknown word that is not too short, if exactly one known word
    /// has edit distance one. Punctuation around the word is kept.
    #[must_use]
    pub fn correction(&self, word: &str) -> Option<String> {
        let bare = word.trim_matches(|c: char| !is_native(c));
        let plain = normalise(bare);
        if plain.chars().count() < MIN_CORRECTED_LENGTH || !plain.chars().all(is_native) || self.has(&plain) {
            return None;
        }
        let near = self.words_one_apart(&plain);
        let only = near.first().filter(|_| near.len() == 1)?;
        Some(word.replacen(bare, only, 1))
    }

    /// Whether a word is unknown, and would be known with one more letter or mark, or with another
    /// mark in place of one. Faint marks get lost or confused.
    #[must_use]
    pub fn may_lack_a_mark(&self, word: &str) -> bool {
        let plain = normalise(word.trim_matches(|c: char| !is_native(c)));
        let is_marked_otherwise = |known: &&String| {
            let pairs = || known.chars().zip(plain.chars()).filter(|(a, b)| a != b);
            known.chars().count() == plain.chars().count() && pairs().all(|(a, b)| is_mark(a) && is_mark(b))
        };
        plain.contains(is_native)
            && !self.has(&plain)
            && (self.by_deletion.contains_key(&plain)
                || self.words_one_apart(&plain).iter().any(is_marked_otherwise))
    }

    /// Whether a word is unknown, and either begins a known word or forms a known word with the
    /// next word.
    #[must_use]
    pub fn is_cut(&self, word: &str, next: &str) -> bool {
        let [word, next] = [word, next].map(|word| normalise(word.trim_matches(|c: char| !is_native(c))));
        let begins = |whole: &String| whole.len() > word.len() && whole.starts_with(&word);
        word.chars().count() >= MIN_STEM_LENGTH
            && !self.has(&word)
            && (self.words.range(word.clone()..).next().is_some_and(begins)
                || !next.is_empty() && self.has(&format!("{word}{next}")))
    }

    /// The known words at edit distance one from a normalised word.
    fn words_one_apart(&self, plain: &str) -> BTreeSet<&String> {
        let longer = self.by_deletion.get(plain).into_iter().flatten();
        let shorter = deletions(plain).filter_map(|rest| self.words.get(&rest));
        let others = deletions(plain).filter_map(|rest| self.by_deletion.get(&rest)).flatten();
        longer.chain(shorter).chain(others.filter(|known| is_one_apart(known, plain))).collect()
    }
}

/// The Sinhala and Tamil words of a text, in NFC, without joiners and surrounding punctuation.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '-' | '–' | '|'));
    words
        .map(|word| normalise(word.trim_matches(|c: char| !is_native(c))))
        .filter(|word| word.contains(is_native))
}

fn normalise(word: &str) -> String {
    word.chars().filter(|c| !matches!(*c, '\u{200C}' | '\u{200D}' | gazetteer::STEM_END)).nfc().collect()
}

/// Whether a character is Sinhala or Tamil.
pub(crate) fn is_native(letter: char) -> bool {
    matches!(letter, '\u{0D80}'..='\u{0DFF}' | '\u{0B80}'..='\u{0BFF}')
}

/// Whether a character is a vowel sign or another mark of Sinhala or Tamil.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0D82}' | '\u{0D83}' | '\u{0DCA}'..='\u{0DDF}' | '\u{0B82}' | '\u{0BBE}'..='\u{0BCD}')
}

/// The stems that a word may have, each with the index of the suffix class.
fn stems(word: &str) -> impl Iterator<Item = (usize, &str)> {
    let endings = SUFFIX_CLASSES
        .iter()
        .enumerate()
        .flat_map(|(class, endings)| endings.iter().map(move |end| (class, *end)));
    endings
        .filter_map(|(class, ending)| Some((class, word.strip_suffix(ending)?)))
        .filter(|(_, stem)| stem.chars().count() >= MIN_STEM_LENGTH)
}

/// The word with each of its letters and marks deleted in turn.
fn deletions(word: &str) -> impl Iterator<Item = String> {
    let cut = |(at, letter): (usize, char)| [&word[..at], &word[at + letter.len_utf8()..]].concat();
    word.char_indices().map(cut)
}

/// Whether two words have equal length and differ in exactly one letter or mark.
fn is_one_apart(a: &str, b: &str) -> bool {
    a.chars().count() == b.chars().count() && a.chars().zip(b.chars()).filter(|(a, b)| a != b).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_ignore_joiners_and_punctuation() {
        let lexicon = Lexicon::built_in();
        assert!(lexicon.knows("ප්‍රාදේශීය සභාව, මාර්ග සංවර්ධන අධිකාරිය (RDA) 2027"));
        assert!(lexicon.knows("ප්රාදේශීය சபை."));
        assert!(!lexicon.knows("ප්‍රාදේශීය සඞාව"));
        assert!(lexicon.knows("No. 12"), "Latin words are never unknown");
    }

    #[test]
    fn a_truncated_word_is_detected() {
        let lexicon = Lexicon::of(["අලුත්වැඩියා", "கட்டுமானம்"].map(normalise).into_iter());
        assert!(lexicon.is_cut("අලුත්වැ", "යා"));
        assert!(lexicon.is_cut("கட்டு", "மானம்,"));
        assert!(
            !lexicon.is_cut("අලුත්වැඩියා", "කිරීම") && !lexicon.is_cut("Repair", "of") && !lexicon.is_cut("", "")
        );
    }

    #[test]
    fn inflected_forms_of_a_known_word_are_known() {
        let known = ["මධ්‍යස්ථානය", "ගොඩනැගිලි", "நூலகம்", "வீதி", "வழங்கல்", "விளக்கு", "சபை"];
        let lexicon = Lexicon::of(known.map(normalise).into_iter());
        for form in ["මධ්‍යස්ථානයේ", "ගොඩනැගිල්ලේ", "நூலகத்திற்கான", "வீதிகளுக்கு", "வழங்கலும்", "விளக்குகள்"]
        {
            assert!(lexicon.knows(form), "{form}");
        }
        for other in ["මධ්‍යස්ථාන", "නගිල්ලේ", "சப", "வழங்கலை", "நூலகத", "வீதிகளுக்க"]
        {
            assert!(!lexicon.knows(other), "{other}");
        }
    }

    #[test]
    fn a_word_is_corrected_to_its_only_neighbour() {
        let lexicon =
            Lexicon::of(["ප්රාදේශීය", "දෙපාර්තමේන්තුව", "සභාපති", "සභාපත", "කාපට්"].map(str::to_owned).into_iter());
        assert_eq!(lexicon.correction("දෙපාර්තමෙන්තුව.").as_deref(), Some("දෙපාර්තමේන්තුව."), "another mark");
        assert_eq!(lexicon.correction("කාපට").as_deref(), None, "too short");
        assert!(lexicon.may_lack_a_mark("කාපට,") && !lexicon.may_lack_a_mark("කාපට්"));
        assert!(lexicon.may_lack_a_mark("දෙපාර්තමෙන්තුව") && !lexicon.may_lack_a_mark("දෙපාර්තමේන්තුවල"));
        assert_eq!(lexicon.correction("පාදේශීය"), None, "two letters differ");
        assert_eq!(lexicon.correction("සභාපටි").as_deref(), Some("සභාපති"), "another letter");
        assert_eq!(lexicon.correction("සභාපතක").as_deref(), None, "near to two words");
        assert_eq!(lexicon.correction("දෙපාර්තමේන්තුව"), None, "known");
        assert_eq!(lexicon.correction("Department"), None);
    }
}
