//! The words of Sinhala and Tamil that notices, places and public bodies are known to use. Recognition on a picture is sure of letters that it gets
//! wrong, but what it gets wrong is hardly ever another word: one that is known was read right, and one that is not, wrong more often than not.

use index::vocabulary::gazetteer;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};
use unicode_normalization::UnicodeNormalization;

/// The words of `fixtures/notice-texts`, one a line; `cargo run -p ingest --example words` writes them.
pub const NOTICE_WORDS: &str = include_str!("lexicon/words.txt");

/// What is built, bought and done by tender: common words of works, goods and services, one a line, written down from no notice.
const TRADE_WORDS: &str = include_str!("lexicon/trades.txt");

/// A word with fewer letters and marks is not mended: too many are one letter apart.
const MIN_CORRECTED: usize = 5;

/// What follows a stem, in classes: with one form of a word its others are known. No two endings of a class are one lost mark apart where
/// one of them is none at all.
const ENDINGS: [&[&str]; 11] = [
    // Sinhala: මධ්‍යස්ථානය, මධ්‍යස්ථානයේ; සේවා, සේවාව; ගොඩනැගිලි, ගොඩනැගිල්ල; සැපයීම, සැපයීමේ; සැපයුම්කරු, සැපයුම්කරුවන්.
    &["ය", "යේ", "යට", "යෙන්", "යෙහි", "යක්", "යක", "යේදී", "යන්", "යන්හි", "වල", "වලට", "වලින්"],
    &["", "ව", "වේ", "වට", "වෙන්", "වක්", "වක", "වන්", "වල", "වලට", "වලින්"],
    &["ලි", "ල්ල", "ල්ලේ", "ල්ලට", "ල්ලෙන්", "ල්ලක්", "ල්ලක", "ලිවල"],
    &["ීම", "ීමේ", "ීමට", "ීමෙන්", "ීමක්", "ීම්"],
    &["රු", "රුවන්", "රුවන්ගේ", "රුවන්ට", "රුවන්ගෙන්"],
    // Tamil: வீதி, வீதிகளுக்கு; நூலகம், நூலகத்திற்கான; வழங்கல், வழங்கலும்; விளக்கு, விளக்குகள்; வீடு, வீட்டின்; ஆறு, ஆற்றின்.
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
/// A stem has at least so many letters and marks.
const MIN_STEM: usize = 3;

/// The known words.
#[derive(Debug, Default)]
pub struct Lexicon {
    words: BTreeSet<String>,
    /// Their stems, with the number of the class of endings.
    stems: BTreeSet<(usize, String)>,
    /// The words by what is left of them without one letter or mark, for finding those that are one apart.
    by_deletion: BTreeMap<String, Vec<String>>,
}

static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| {
    let of_texts = NOTICE_WORDS.lines().map(str::to_owned);
    Lexicon::of(
        of_texts.chain(TRADE_WORDS.lines().flat_map(words)).chain(gazetteer::native_names().flat_map(words)),
    )
});

impl Lexicon {
    /// All that is known from the start.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// A lexicon of these words.
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

    /// Whether each word of a text that holds letters of Sinhala or Tamil is known, in this form or another; joiners and signs don't count.
    #[must_use]
    pub fn knows(&self, text: &str) -> bool {
        words(text).all(|word| self.has(&word))
    }

    /// Whether a plain word is known, or has a known word's stem and an ending of its class.
    fn has(&self, word: &str) -> bool {
        self.words.contains(word)
            || stems(word).any(|(class, stem)| self.stems.contains(&(class, stem.to_owned())))
    }

    /// The word that is meant, where this one is unknown and exactly one known word is a letter or mark away; the signs around it stay.
    #[must_use]
    pub fn corrected(&self, word: &str) -> Option<String> {
        let bare = word.trim_matches(|c: char| !is_native(c));
        let plain = plain(bare);
        if plain.chars().count() < MIN_CORRECTED || !plain.chars().all(is_native) || self.has(&plain) {
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
            && !self.has(&plain)
            && (self.by_deletion.contains_key(&plain) || self.near(&plain).iter().any(is_marked_otherwise))
    }

    /// Whether a word is unknown and the beginning of a known one, or one word with the next: its end is lost or torn off.
    #[must_use]
    pub fn is_cut(&self, word: &str, next: &str) -> bool {
        let [word, next] = [word, next].map(|word| plain(word.trim_matches(|c: char| !is_native(c))));
        let begins = |whole: &String| whole.len() > word.len() && whole.starts_with(&word);
        word.chars().count() >= MIN_STEM
            && !self.has(&word)
            && (self.words.range(word.clone()..).next().is_some_and(begins)
                || !next.is_empty() && self.has(&format!("{word}{next}")))
    }

    /// The known words that are a letter or mark away from a plain one.
    fn near(&self, plain: &str) -> BTreeSet<&String> {
        let longer = self.by_deletion.get(plain).into_iter().flatten();
        let shorter = deletions(plain).filter_map(|rest| self.words.get(&rest));
        let others = deletions(plain).filter_map(|rest| self.by_deletion.get(&rest)).flatten();
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

/// What is left of a word without each ending that it may have, with the number of the ending's class.
fn stems(word: &str) -> impl Iterator<Item = (usize, &str)> {
    let endings =
        ENDINGS.iter().enumerate().flat_map(|(class, endings)| endings.iter().map(move |end| (class, *end)));
    endings
        .filter_map(|(class, ending)| Some((class, word.strip_suffix(ending)?)))
        .filter(|(_, stem)| stem.chars().count() >= MIN_STEM)
}

/// A word without each of its letters and marks in turn.
fn deletions(word: &str) -> impl Iterator<Item = String> {
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
    fn a_word_may_have_lost_its_end() {
        let lexicon = Lexicon::of(["අලුත්වැඩියා", "கட்டுமானம்"].map(plain).into_iter());
        assert!(lexicon.is_cut("අලුත්වැ", "යා"));
        assert!(lexicon.is_cut("கட்டு", "மானம்,"));
        assert!(
            !lexicon.is_cut("අලුත්වැඩියා", "කිරීම") && !lexicon.is_cut("Repair", "of") && !lexicon.is_cut("", "")
        );
    }

    #[test]
    fn with_one_form_of_a_word_its_others_are_known() {
        let known = ["මධ්‍යස්ථානය", "ගොඩනැගිලි", "நூலகம்", "வீதி", "வழங்கல்", "விளக்கு", "சபை"];
        let lexicon = Lexicon::of(known.map(plain).into_iter());
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
    fn a_word_is_mended_to_the_only_one_near_it() {
        let lexicon =
            Lexicon::of(["ප්රාදේශීය", "දෙපාර්තමේන්තුව", "සභාපති", "සභාපත", "කාපට්"].map(str::to_owned).into_iter());
        assert_eq!(lexicon.corrected("දෙපාර්තමෙන්තුව.").as_deref(), Some("දෙපාර්තමේන්තුව."), "another mark");
        assert_eq!(lexicon.corrected("කාපට").as_deref(), None, "too short");
        assert!(lexicon.may_lack_a_mark("කාපට,") && !lexicon.may_lack_a_mark("කාපට්"));
        assert!(lexicon.may_lack_a_mark("දෙපාර්තමෙන්තුව") && !lexicon.may_lack_a_mark("දෙපාර්තමේන්තුවල"));
        assert_eq!(lexicon.corrected("පාදේශීය"), None, "two apart");
        assert_eq!(lexicon.corrected("සභාපටි").as_deref(), Some("සභාපති"), "another letter");
        assert_eq!(lexicon.corrected("සභාපතක").as_deref(), None, "near to both");
        assert_eq!(lexicon.corrected("දෙපාර්තමේන්තුව"), None, "known");
        assert_eq!(lexicon.corrected("Department"), None);
    }
}
