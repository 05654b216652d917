//! Translations of alert keywords into the other two languages, from the gazetteer: places, public
//! bodies and common terms. A keyword is translated as a whole or not at all. Word order and
//! endings differ between languages, and a translated part would match unrelated tenders.

use super::Pattern;
use crate::analysis::stem;
use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};
use tender_model::{
    alert::Keyword,
    text::normalise,
    vocabulary::{
        Language, MatchType,
        gazetteer::{self, STEM_END, Spelling},
    },
};

/// The maximum number of translations per keyword and language.
const MAX_TRANSLATIONS: usize = 3;
/// Shorter stems are prefixes of too many other words.
const MIN_STEM_LENGTH: usize = 4;
/// The languages in the order of the gazetteer's columns.
const LANGUAGES: [Language; 3] = [Language::English, Language::Sinhala, Language::Tamil];

/// A translation of a keyword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeywordTranslation {
    /// The target language.
    pub language: Language,
    /// The dictionary form, for display.
    pub word: String,
    /// A keyword that finds the word with its endings. Its term may be a prefix of `word`.
    pub keyword: Keyword,
}

/// The translations of each keyword, in the order of the keywords. A translation is left out if one
/// of the keywords, or an earlier translation of the same keyword, finds everything that it finds.
/// Each keyword has at most [`MAX_TRANSLATIONS`] translations per language.
///
/// ```
/// use index::query::translate_keywords;
/// use tender_model::{alert::Keyword, vocabulary::MatchType};
///
/// let hospital = Keyword { term: "hospitals".into(), match_type: MatchType::Contains };
/// let words = translate_keywords(&[hospital]).remove(0);
/// let words: Vec<&str> = words.iter().map(|one| one.word.as_str()).collect();
/// assert_eq!(words, ["රෝහල", "வைத்தியசாலை", "மருத்துவமனை"]);
/// ```
#[must_use]
pub fn translate_keywords(keywords: &[Keyword]) -> Vec<Vec<KeywordTranslation>> {
    let of = |keyword: &Keyword| {
        let mut offered: Vec<KeywordTranslation> = Vec::new();
        for one in TRANSLATIONS.translations(&keyword.term) {
            let count = offered.iter().filter(|other| other.language == one.language).count();
            let known = keywords.iter().chain(offered.iter().map(|other| &other.keyword));
            if count < MAX_TRANSLATIONS && !known.into_iter().any(|known| covers(known, &one.keyword)) {
                offered.push(one);
            }
        }
        offered.sort_by_key(|one| LANGUAGES.iter().position(|language| *language == one.language));
        offered
    };
    keywords.iter().map(of).collect()
}

/// Whether `wide` finds everything that `narrow` finds. `narrow` must be an `Exact` or
/// `StartsWith` keyword.
fn covers(wide: &Keyword, narrow: &Keyword) -> bool {
    let goes_on = matches!(wide.match_type, MatchType::Contains | MatchType::StartsWith);
    (goes_on || wide.match_type == narrow.match_type)
        && Pattern::new(&wide.term, wide.match_type)
            .is_some_and(|pattern| pattern.find(&normalise(&narrow.term)).is_some())
}

/// All gazetteer entries with names in more than one language.
struct TranslationTable {
    /// The forms of each entry in the order of [`LANGUAGES`].
    entries: Vec<[Vec<NameForm>; 3]>,
    /// The entries by the key of each form; see [`form_key`].
    by_key: HashMap<String, BTreeSet<usize>>,
    /// The stems of the words in Sinhala or Tamil script that take endings.
    stems: BTreeSet<String>,
}

/// A name of an entry.
struct NameForm {
    word: String,
    spelling: Spelling,
    /// Whether this name is offered as a translation.
    offered: bool,
}

static TRANSLATIONS: LazyLock<TranslationTable> = LazyLock::new(|| {
    let name_forms = |names: [Vec<&'static str>; 3]| {
        names.map(|forms| {
            let forms = forms.into_iter().enumerate();
            // The usual name is offered. The others are only recognised.
            forms.filter_map(|(nth, name)| NameForm::of_name(name, nth == 0)).collect()
        })
    };
    let term_forms = |terms: [Vec<&'static str>; 3]| {
        terms.map(|forms| forms.into_iter().filter_map(NameForm::of_term).collect::<Vec<_>>())
    };
    TranslationTable::of(
        gazetteer::common_terms().map(term_forms).chain(gazetteer::places_and_bodies().map(name_forms)),
    )
});

impl NameForm {
    fn of_name(name: &str, offered: bool) -> Option<Self> {
        Some(Self { word: name.to_owned(), spelling: gazetteer::spelling(name)?, offered })
    }

    /// The form of a common term, which may contain [`STEM_END`].
    fn of_term(marked: &str) -> Option<Self> {
        let (stem, ending) = marked.split_once(STEM_END).unwrap_or((marked, ""));
        let words = normalise(stem);
        let takes_endings = marked.contains(STEM_END);
        let spelling = (!words.is_empty()).then_some(Spelling { words, takes_endings })?;
        Some(Self { word: format!("{stem}{ending}"), spelling, offered: true })
    }

    fn keyword(&self) -> Keyword {
        let match_type = if self.spelling.takes_endings { MatchType::StartsWith } else { MatchType::Exact };
        Keyword { term: self.spelling.words.clone(), match_type }
    }
}

impl TranslationTable {
    fn of(entries: impl Iterator<Item = [Vec<NameForm>; 3]>) -> Self {
        let mut table = Self { entries: Vec::new(), by_key: HashMap::new(), stems: BTreeSet::new() };
        for entry in entries.filter(|entry| entry.iter().filter(|forms| !forms.is_empty()).count() > 1) {
            for form in entry.iter().flatten() {
                for key in [form_key(&form.word), form_key(&form.spelling.words)] {
                    table.by_key.entry(key).or_default().insert(table.entries.len());
                }
                let stem = &form.spelling.words;
                if form.spelling.takes_endings && !stem.is_ascii() && stem.chars().count() >= MIN_STEM_LENGTH
                {
                    table.stems.insert(stem.clone());
                }
            }
            table.entries.push(entry);
        }
        table
    }

    /// The translations of a term.
    fn translations(&self, term: &str) -> impl Iterator<Item = KeywordTranslation> {
        let own = language_of(term);
        let entries = self.find(term).into_iter().flatten().map(|entry| &self.entries[*entry]);
        let forms = entries.flat_map(|entry| LANGUAGES.into_iter().zip(entry));
        forms.filter(move |(language, _)| *language != own).flat_map(|(language, forms)| {
            forms.iter().filter(|form| form.offered).map(move |form| KeywordTranslation {
                language,
                word: form.word.clone(),
                keyword: form.keyword(),
            })
        })
    }

    /// The entries with this name, or with its longest known stem if the term has an ending.
    fn find(&self, term: &str) -> Option<&BTreeSet<usize>> {
        let words = normalise(term);
        self.by_key.get(&form_key(&words)).or_else(|| {
            let last_word = words.rfind(' ').map_or(0, |space| space + 1);
            let cuts = words.char_indices().rev().map(|(at, _)| at).take_while(|at| *at > last_word);
            let stem = cuts.map(|at| &words[..at]).find(|stem| self.stems.contains(*stem))?;
            self.by_key.get(stem)
        })
    }
}

/// A common key for the forms of a name: English words are stemmed, others stay as they are.
fn form_key(name: &str) -> String {
    let words = normalise(name);
    words.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

/// The language of a term, judged by its script.
fn language_of(term: &str) -> Language {
    let block = |letter| match letter {
        '\u{0d80}'..='\u{0dff}' => Some(Language::Sinhala),
        '\u{0b80}'..='\u{0bff}' => Some(Language::Tamil),
        _ => None,
    };
    term.chars().find_map(block).unwrap_or(Language::English)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{English, Sinhala, Tamil};
    use rstest::rstest;

    fn keyword(term: &str, match_type: MatchType) -> Keyword {
        Keyword { term: term.into(), match_type }
    }

    /// The translations of a single keyword.
    fn offered(term: &str) -> Vec<(Language, String)> {
        let found = translate_keywords(&[keyword(term, MatchType::Contains)]).remove(0);
        found.into_iter().map(|one| (one.language, one.word)).collect()
    }

    #[rstest]
    #[case("bridges", &[(Sinhala, "පාලම"), (Tamil, "பாலம்")])]
    #[case("පාලමක්", &[(English, "bridge"), (Tamil, "பாலம்")])]
    #[case("பாலத்தின்", &[(English, "bridge"), (Sinhala, "පාලම")])]
    #[case("Security Services", &[(Sinhala, "ආරක්ෂක සේවා"), (Tamil, "பாதுகாப்புச் சேவை")])]
    #[case("රෝහලේ", &[(English, "hospital"), (Tamil, "வைத்தியசாலை")])]
    #[case("வைத்தியசாலைக்கான", &[(English, "hospital"), (Sinhala, "රෝහල")])]
    #[case("Kandy", &[(Sinhala, "මහනුවර"), (Tamil, "கண்டி")])]
    #[case("Monaragala", &[(Sinhala, "මොණරාගල"), (Tamil, "மொனராகலை")])]
    #[case("යාපනයේ", &[(English, "Jaffna"), (Tamil, "யாழ்ப்பாணம்")])]
    #[case("யாழ்ப்பாணத்தில்", &[(English, "Jaffna"), (Sinhala, "යාපනය")])]
    #[case("RDA", &[(Sinhala, "මාර්ග සංවර්ධන අධිකාරිය"), (Tamil, "வீதி அபிவிருத்தி அதிகார சபை")])]
    #[case("மேல் மாகாணம்", &[(English, "Western Province"), (Sinhala, "බස්නාහිර පළාත")])]
    #[case("road sweeping machine", &[])]
    #[case("abroad", &[])]
    #[case("Atlantis", &[])]
    #[case("---", &[])]
    fn keywords_are_translated_into_the_other_two_languages(
        #[case] term: &str,
        #[case] expected: &[(Language, &str)],
    ) {
        let words = offered(term);
        let own = language_of(term);
        assert!(words.iter().all(|(language, _)| *language != own), "{words:?}");
        for (language, word) in expected {
            assert!(
                words.contains(&(*language, (*word).to_owned())),
                "{term}: {word} is not among {words:?}"
            );
        }
        assert_eq!(words.is_empty(), expected.is_empty(), "{words:?}");
    }

    #[test]
    fn translations_match_words_with_endings() {
        let finds = |term: &str, text: &str| {
            let offered = translate_keywords(&[keyword(term, MatchType::Contains)]).remove(0);
            offered.iter().any(|one| {
                let pattern = Pattern::new(&one.keyword.term, one.keyword.match_type).unwrap();
                pattern.find(&normalise(text)).is_some()
            })
        };
        // Titles like those in the fixtures.
        for (term, text) in [
            ("road", "ග්‍රාමීය මාර්ගයේ බෝක්කු දෙකක්"),
            ("road", "உள்ளக வீதிகளுக்கு தார் இடுதல்"),
            ("construction", "ආරක්ෂිත බැම්මක් ඉදි කිරීම"),
            ("construction", "இரண்டாம் மாடி நிர்மாணம்"),
            ("hospital", "{town} රෝහල සඳහා පිරිසිදු කිරීමේ සේවය සැපයීම"),
            ("hospital", "வைத்தியசாலைக்கான துப்புரவுச் சேவை வழங்கல்"),
            ("cleaning services", "රෝහල සඳහා පිරිසිදු කිරීමේ සේවය සැපයීම"),
            ("cleaning services", "வைத்தியசாலைக்கான துப்புரவுச் சேவை வழங்கல்"),
            ("computers", "அலுவலகக் கணினிகள் மற்றும் அச்சுப்பொறிகள் கொள்வனவு"),
            ("vehicle", "වාහන සඳහා ටයර්"),
            ("vehicle", "வாகனங்களுக்கான டயர், டியூப்"),
            ("repair", "වාරි අමුණ අලුත්වැඩියා කිරීම"),
            ("repair", "குளத்தின் அணைக்கட்டைத் திருத்துதல்"),
            ("පරිගණක", "Supply of Computers"),
            ("சுவர்", "Boundary walls"),
        ] {
            assert!(finds(term, text), "{term} in {text}");
        }
        // Words that share only a prefix.
        assert!(!finds("கதிரை", "The Chairman, Procurement Committee"));
        assert!(!finds("bridge", "பாலர் பாடசாலை"));
    }

    #[test]
    fn translations_that_the_alert_covers_are_left_out() {
        let bridges = keyword("bridge", MatchType::Contains);
        let languages = |keywords: &[Keyword]| {
            let found = translate_keywords(keywords).remove(0);
            found.into_iter().map(|one| one.language).collect::<BTreeSet<_>>()
        };
        assert_eq!(languages(std::slice::from_ref(&bridges)), BTreeSet::from([Sinhala, Tamil]));
        let with = |term, match_type| languages(&[bridges.clone(), keyword(term, match_type)]);
        assert_eq!(with("පාලම", MatchType::Contains), BTreeSet::from([Tamil]));
        assert_eq!(with("පාලම", MatchType::StartsWith), BTreeSet::from([Tamil]));
        // A keyword for the bare word would miss the endings.
        assert_eq!(with("පාලම", MatchType::Exact), BTreeSet::from([Sinhala, Tamil]));
    }

    #[test]
    fn every_term_translates_to_the_other_two_languages() {
        for terms in gazetteer::common_terms() {
            for (own, forms) in LANGUAGES.iter().zip(&terms) {
                assert!(!forms.is_empty(), "{terms:?}");
                for form in forms {
                    let word = form.replace(STEM_END, "");
                    let found: BTreeSet<_> =
                        offered(&word).into_iter().map(|(language, _)| language).collect();
                    let others = LANGUAGES.iter().copied().filter(|language| language != own).collect();
                    assert_eq!(found, others, "{word}");
                    assert!(word.chars().count() <= 50, "{word} is too long for a keyword");
                }
            }
        }
    }

    #[test]
    fn a_form_is_written_in_its_own_script() {
        for terms in gazetteer::common_terms() {
            for (language, form) in LANGUAGES
                .iter()
                .zip(&terms)
                .flat_map(|(language, forms)| forms.iter().map(move |form| (*language, *form)))
            {
                assert_eq!(language_of(form), language, "{form}");
                let latin = form.chars().any(|letter| letter.is_ascii_alphabetic());
                assert_eq!(latin, language == English, "{form}");
            }
        }
    }
}
