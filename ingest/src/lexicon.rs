//! The words of Sinhala and Tamil that notices, places and public bodies are known to use. Recognition on a picture is sure of letters that it gets
//! wrong, but what it gets wrong is hardly ever another word: one that is known was read right, and one that is not, wrong more often than not.

use index::vocabulary::gazetteer;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};
use unicode_normalization::UnicodeNormalization;

/// The words of `fixtures/notice-texts`, one a line; `cargo run -p ingest --example words` writes them.
pub const OF_TEXTS: &str = include_str!("lexicon/words.txt");

/// A word with fewer letters and marks is not mended: too many are one letter apart.
const SHORTEST_MENDED: usize = 5;

/// The known words.
#[derive(Debug, Default)]
pub struct Lexicon {
    words: BTreeSet<String>,
    /// The words by what is left of them without one letter or mark, for finding those that are one apart.
    by_rest: BTreeMap<String, Vec<String>>,
}

static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(OF_TEXTS.lines().map(str::to_owned).chain(gazetteer::native_names().flat_map(words)))
});

impl Lexicon {
    /// All that is known from the start.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// A lexicon of these words.
    fn of(words: impl Iterator<Item = String>) -> Self {
        let mut lexicon = Self { words: words.collect(), by_rest: BTreeMap::new() };
        for word in &lexicon.words {
            for rest in rests(word) {
                lexicon.by_rest.entry(rest).or_default().push(word.clone());
            }
        }
        lexicon
    }

    /// Whether each word of a text that holds letters of Sinhala or Tamil is known; joiners and signs don't count.
    #[must_use]
    pub fn knows(&self, text: &str) -> bool {
        words(text).all(|word| self.words.contains(&word))
    }

    /// The word that is meant, where this one is unknown and exactly one known word is a letter or mark away; the signs around it stay.
    #[must_use]
    pub fn mended(&self, word: &str) -> Option<String> {
        let bare = word.trim_matches(|c: char| !is_native(c));
        let plain = plain(bare);
        if plain.chars().count() < SHORTEST_MENDED
            || !plain.chars().all(is_native)
            || self.words.contains(&plain)
        {
            return None;
        }
        let near = self.near(&plain);
        let only = near.first().filter(|_| near.len() == 1)?;
        Some(word.replacen(bare, only, 1))
    }

    /// Whether a word is unknown, and is a known one without a letter or mark, or with another mark: faint marks get lost, and are taken for each other.
    #[must_use]
    pub fn may_lack_a_mark(&self, word: &str) -> bool {
        let plain = plain(word.trim_matches(|c: char| !is_native(c)));
        let is_marked_otherwise = |known: &&String| {
            let pairs = || known.chars().zip(plain.chars()).filter(|(a, b)| a != b);
            known.chars().count() == plain.chars().count() && pairs().all(|(a, b)| is_mark(a) && is_mark(b))
        };
        plain.contains(is_native)
            && !self.words.contains(&plain)
            && (self.by_rest.contains_key(&plain) || self.near(&plain).iter().any(is_marked_otherwise))
    }

    /// The known words that are a letter or mark away from a plain one.
    fn near(&self, plain: &str) -> BTreeSet<&String> {
        let longer = self.by_rest.get(plain).into_iter().flatten();
        let shorter = rests(plain).filter_map(|rest| self.words.get(&rest));
        let others = rests(plain).filter_map(|rest| self.by_rest.get(&rest)).flatten();
        longer.chain(shorter).chain(others.filter(|known| is_one_apart(known, plain))).collect()
    }
}

/// The words of a text that hold letters of Sinhala or Tamil, composed and without joiners and the signs around them.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '-' | '–' | '|'));
    words
        .map(|word| plain(word.trim_matches(|c: char| !is_native(c))))
        .filter(|word| word.contains(is_native))
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| !matches!(*c, '\u{200C}' | '\u{200D}' | gazetteer::STEM_END)).nfc().collect()
}

/// Whether a letter is one of Sinhala or Tamil.
pub(crate) fn is_native(letter: char) -> bool {
    matches!(letter, '\u{0D80}'..='\u{0DFF}' | '\u{0B80}'..='\u{0BFF}')
}

/// Whether a letter is a vowel sign or another mark of Sinhala or Tamil.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0D82}' | '\u{0D83}' | '\u{0DCA}'..='\u{0DDF}' | '\u{0B82}' | '\u{0BBE}'..='\u{0BCD}')
}

/// A word without each of its letters and marks in turn.
fn rests(word: &str) -> impl Iterator<Item = String> {
    let cut = |(at, letter): (usize, char)| [&word[..at], &word[at + letter.len_utf8()..]].concat();
    word.char_indices().map(cut)
}

/// Whether two words of one length differ in one letter or mark.
fn is_one_apart(a: &str, b: &str) -> bool {
    a.chars().count() == b.chars().count() && a.chars().zip(b.chars()).filter(|(a, b)| a != b).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_places_and_bodies_are_known_whatever_joins_and_surrounds_them() {
        let lexicon = Lexicon::built_in();
        assert!(lexicon.knows("ප්‍රාදේශීය සභාව, මාර්ග සංවර්ධන අධිකාරිය (RDA) 2027"));
        assert!(lexicon.knows("ප්රාදේශීය சபை."));
        assert!(!lexicon.knows("ප්‍රාදේශීය සඞාව"));
        assert!(lexicon.knows("No. 12"), "nothing native, nothing unknown");
    }

    #[test]
    fn a_word_is_mended_to_the_only_one_near_it() {
        let lexicon =
            Lexicon::of(["ප්රාදේශීය", "දෙපාර්තමේන්තුව", "සභාපති", "සභාපත", "කාපට්"].map(str::to_owned).into_iter());
        assert_eq!(lexicon.mended("දෙපාර්තමෙන්තුව.").as_deref(), Some("දෙපාර්තමේන්තුව."), "another mark");
        assert_eq!(lexicon.mended("කාපට").as_deref(), None, "too short");
        assert!(lexicon.may_lack_a_mark("කාපට,") && !lexicon.may_lack_a_mark("කාපට්"));
        assert!(lexicon.may_lack_a_mark("දෙපාර්තමෙන්තුව") && !lexicon.may_lack_a_mark("දෙපාර්තමේන්තුවල"));
        assert_eq!(lexicon.mended("පාදේශීය"), None, "two apart");
        assert_eq!(lexicon.mended("සභාපටි").as_deref(), Some("සභාපති"), "another letter");
        assert_eq!(lexicon.mended("සභාපතක").as_deref(), None, "near to both");
        assert_eq!(lexicon.mended("දෙපාර්තමේන්තුව"), None, "known");
        assert_eq!(lexicon.mended("Department"), None);
    }
}
