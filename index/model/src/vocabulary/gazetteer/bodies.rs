//! One name for all spellings of a public body.

use super::names::ORGANIZATIONS;
use crate::text::normalise;
use std::{collections::HashMap, sync::LazyLock};

/// What notices print in short, and the word that it stands for.
const SHORT_FORMS: [(&str, &str); 6] = [
    ("dept", "department"),
    ("govt", "government"),
    ("ltd", "limited"),
    ("pvt", "private"),
    ("univ", "university"),
    ("corp", "corporation"),
];

/// The normalised words of a name, without signs and short forms: "&" is "and", and "Ltd" is "limited".
fn folded_words(name: &str) -> String {
    let words = normalise(name);
    if words.is_empty() {
        return words;
    }
    let written = normalise(&name.replace(['&', '\u{ff06}'], " and "));
    let full = |word: &str| SHORT_FORMS.iter().find(|(short, _)| *short == word).map(|(_, full)| *full);
    written.split(' ').map(|word| full(word).unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

/// The words of the first English name of each known body, by the words of all its names.
static FIRST_NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for line in ORGANIZATIONS.lines() {
        let mut spellings = line.split(['\t', '|']).map(folded_words).filter(|words| !words.is_empty());
        let Some(first) = spellings.next() else { continue };
        for spelling in spellings {
            names.entry(spelling).or_insert_with(|| first.clone());
        }
    }
    names
});

/// The normalised words by which spellings of a body are equal. "&" equals "and", and a short form such as
/// "Ltd" equals its word. A spelling that the gazetteer lists,
/// such as an acronym or a Sinhala name, has the words of the body's first English name.
#[must_use]
pub fn body_words(name: &str) -> String {
    let words = folded_words(name);
    FIRST_NAMES.get(&words).cloned().unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::{ORGANIZATIONS, SHORT_FORMS, body_words};
    use crate::text::normalise;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_a_body_have_the_same_words() {
        for name in ["Road Development Authority", "ROAD  DEVELOPMENT AUTHORITY,", "RDA", "මාර්ග සංවර්ධන අධිකාරිය"]
        {
            assert_eq!(body_words(name), "road development authority", "{name}");
        }
        assert_eq!(body_words("RDA Colombo"), "rda colombo", "a part of a name does not count");
        assert_eq!(body_words(" - "), "");
    }

    #[test]
    fn signs_and_short_forms_are_their_words() {
        let name = "Ministry of Health and Nutrition";
        for spelling in ["Ministry of Health & Nutrition", "ministry of health&nutrition"] {
            assert_eq!(body_words(spelling), body_words(name), "{spelling}");
        }
        assert_eq!(body_words("Lanka Mills (Pvt) Ltd."), body_words("Lanka Mills Private Limited"));
        assert_eq!(body_words("Dept. of Agriculture"), "department of agriculture");
        assert_eq!(body_words("National Water Supply & Drainage Board"), body_words("NWSDB"));
        assert_ne!(body_words("Health & Nutrition"), body_words("Health Nutrition"));
        assert_eq!(body_words(" & "), "");
    }

    #[test]
    fn folding_a_listed_name_again_changes_nothing() {
        for name in ORGANIZATIONS.split(['\n', '\t', '|']) {
            let words = body_words(name);
            assert_eq!(body_words(&words), words, "{name}");
        }
    }

    fn name() -> impl Strategy<Value = Vec<String>> {
        let short = SHORT_FORMS.map(|(short, full)| [short.to_owned(), full.to_owned()]).concat();
        let word = prop_oneof![
            prop::sample::select(short),
            prop::sample::select(vec!["and".to_owned(), "&".to_owned()]),
            "[a-z]{2,7}",
        ];
        prop::collection::vec(word, 1..6)
    }

    /// A word as it is written in full.
    fn written_out(word: &str) -> &str {
        let full = SHORT_FORMS.iter().find(|(short, _)| *short == word).map(|(_, full)| *full);
        if word == "&" { "and" } else { full.unwrap_or(word) }
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(name in any::<String>()) {
            let words = body_words(&name);
            prop_assert_eq!(body_words(&words), words);
        }

        /// Only the signs and short forms are equal to something else. Names of the gazetteer have rules of
        /// their own.
        #[test]
        fn different_names_stay_different(one in name(), other in name()) {
            let written = |name: &[String]| name.iter().map(|word| written_out(word)).collect::<Vec<_>>().join(" ");
            let words = [one, other].map(|name| (body_words(&name.join(" ")), written(&name), name.concat()));
            let [(one, full_one, signs_one), (other, full_other, signs_other)] = words;
            let is_known = one != normalise(&full_one) || other != normalise(&full_other);
            prop_assume!(!is_known && !signs_one.replace('&', "").is_empty() && !signs_other.replace('&', "").is_empty());
            prop_assert_eq!(one == other, full_one == full_other);
        }
    }
}
