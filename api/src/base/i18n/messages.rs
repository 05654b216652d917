//! Translated messages for users. The English text is the key, as in gettext; `{0}`, `{1}` are
//! placeholders. A message without a translation stays English.

use super::catalogues::Catalogues;
use http::{HeaderMap, header};
use serde::Deserialize;
use std::{collections::HashMap, sync::LazyLock};
use tender_model::vocabulary::Language;

/// The maximum length of `Accept-Language`, in bytes. A longer header is ignored.
const MAX_HEADER_LENGTH: usize = 500;

static MESSAGES: LazyLock<Catalogues<Catalogue>> = LazyLock::new(|| {
    // English messages are the keys, so their catalogue is empty.
    Catalogues::read([
        "{}",
        include_str!("../../../locales/si.json"),
        include_str!("../../../locales/ta.json"),
    ])
});

/// Returns the best supported language of `Accept-Language`; English by default.
#[must_use]
pub fn preferred_language(headers: &HeaderMap) -> Language {
    let header = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let header = header.filter(|header| header.len() <= MAX_HEADER_LENGTH).unwrap_or_default();
    accept_language::parse(header)
        .iter()
        .find_map(|tag| tag.split('-').next()?.to_ascii_lowercase().parse().ok())
        .unwrap_or(Language::English)
}

/// Translates a message. `None` if the language is English or has no translation.
#[must_use]
pub fn translate(message: &str, language: Language) -> Option<String> {
    MESSAGES.of(language).find(message)
}

/// The messages of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "HashMap<String, String>")]
struct Catalogue {
    whole: HashMap<String, String>,
    with_placeholders: Vec<(Pattern, String)>,
}

impl From<HashMap<String, String>> for Catalogue {
    fn from(entries: HashMap<String, String>) -> Self {
        let (with_placeholders, whole) =
            entries.into_iter().partition::<HashMap<_, _>, _>(|(english, _)| english.contains("{0}"));
        let with_placeholders = with_placeholders
            .into_iter()
            .map(|(english, translation)| (Pattern::of(&english), translation))
            .collect();
        Self { whole, with_placeholders }
    }
}

impl Catalogue {
    fn find(&self, message: &str) -> Option<String> {
        if let Some(words) = self.whole.get(message) {
            return Some(words.clone());
        }
        self.with_placeholders.iter().find_map(|(pattern, words)| {
            let filled = pattern.placeholder_values(message)?;
            let fill =
                |words: String, (gap, value): (usize, &&str)| words.replace(&format!("{{{gap}}}"), value);
            Some(filled.iter().enumerate().fold(words.clone(), fill))
        })
    }
}

/// An English message with placeholders, as the texts around them, in order.
#[derive(Debug)]
struct Pattern(Vec<String>);

impl Pattern {
    fn of(english: &str) -> Self {
        let (mut parts, mut rest) = (Vec::new(), english);
        while let Some((before, after)) = rest.split_once(&format!("{{{}}}", parts.len())) {
            parts.push(before.to_owned());
            rest = after;
        }
        parts.push(rest.to_owned());
        Self(parts)
    }

    /// Returns the values of the placeholders in `message`, or `None` if the text differs.
    fn placeholder_values<'a>(&self, message: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.0.split_first()?;
        let (last, middle) = others.split_last()?;
        let mut rest = message.strip_prefix(first.as_str())?.strip_suffix(last.as_str())?;
        let mut values = Vec::with_capacity(others.len());
        for part in middle {
            let (gap, after) = rest.split_once(part.as_str())?;
            values.push(gap);
            rest = after;
        }
        values.push(rest);
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preferred(header: &str) -> Language {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, header.parse().unwrap());
        preferred_language(&headers)
    }

    #[test]
    fn first_supported_language_is_chosen() {
        assert_eq!(preferred("si"), Language::Sinhala);
        assert_eq!(preferred("TA-LK,en;q=0.5"), Language::Tamil);
        assert_eq!(preferred("en;q=0.2, de, ta;q=0.9"), Language::Tamil);
        for rubbish in ["", "*", "de", "sinhala", ";;q=,,", "si\u{e9}", &"si,".repeat(1000)] {
            assert_eq!(preferred(rubbish), Language::English, "{rubbish}");
        }
        assert_eq!(preferred_language(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn placeholder_values_are_extracted_from_a_message() {
        let pattern = Pattern::of("{0} of {1}: at most {2} words");
        assert_eq!(pattern.placeholder_values("name of me: at most 3 words"), Some(vec!["name", "me", "3"]));
        assert_eq!(pattern.placeholder_values("name of me: at most 3 letters"), None);
        assert_eq!(Pattern::of("x{0}x").placeholder_values("x"), None);
        assert_eq!(Pattern::of("whole").placeholder_values("whole"), None);
    }

    #[test]
    fn translations_have_the_same_messages_and_placeholders() {
        let read = |json| serde_json::from_str::<HashMap<String, String>>(json).unwrap();
        let [sinhala, tamil] =
            [include_str!("../../../locales/si.json"), include_str!("../../../locales/ta.json")].map(read);
        for (english, words) in sinhala.iter().chain(&tamil) {
            for gap in (0..5).map(|gap| format!("{{{gap}}}")) {
                assert_eq!(english.contains(&gap), words.contains(&gap), "{english}: {words}");
            }
        }
        let missing = |from: &HashMap<String, String>, of: &HashMap<String, String>| {
            from.keys().filter(|key| !of.contains_key(*key)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(missing(&sinhala, &tamil), Vec::<String>::new());
        assert_eq!(missing(&tamil, &sinhala), Vec::<String>::new());
    }
}
