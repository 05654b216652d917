//! Translated messages for users. The English text is the key, as in gettext, and may have the
//! placeholders `{0}`, `{1}` and so on. A message without a translation stays English.

use super::{
    catalogues::{CatalogueError, Catalogues},
    phrase::Phrase,
};
use http::{HeaderMap, header};
use serde::Deserialize;
use std::{collections::HashMap, fmt::Display, sync::LazyLock};
use tender_model::vocabulary::Language;

/// The maximum length of `Accept-Language`, in bytes. A longer header is ignored.
const MAX_HEADER_LENGTH: usize = 500;

static MESSAGES: LazyLock<Catalogues<Catalogue>> = LazyLock::new(|| {
    // English messages are the keys, so their catalogue is empty.
    let sources = ["{}", include_str!("../../../locales/si.json"), include_str!("../../../locales/ta.json")];
    Catalogues::read("messages", sources)
});

/// Fails if one of these catalogues is malformed.
pub(super) fn check() -> Result<(), CatalogueError> {
    MESSAGES.check()
}

/// Returns the supported language that `Accept-Language` prefers, or English.
#[must_use]
pub fn preferred_language(headers: &HeaderMap) -> Language {
    let header = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let header = header.filter(|header| header.len() <= MAX_HEADER_LENGTH).unwrap_or_default();
    accept_language::parse(header)
        .iter()
        .find_map(|tag| tag.split('-').next()?.to_ascii_lowercase().parse().ok())
        .unwrap_or(Language::English)
}

/// Translates a message. `None` if the language is English or the message has no translation.
#[must_use]
pub fn translate(message: &str, language: Language) -> Option<String> {
    MESSAGES.of(language).find(message)
}

/// The messages of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "HashMap<String, String>")]
struct Catalogue {
    whole: HashMap<String, String>,
    with_placeholders: Vec<(Phrase, Phrase)>,
}

impl From<HashMap<String, String>> for Catalogue {
    fn from(entries: HashMap<String, String>) -> Self {
        let (with_placeholders, whole) =
            entries.into_iter().partition::<HashMap<_, _>, _>(|(english, _)| english.contains("{0}"));
        let with_placeholders = with_placeholders
            .into_iter()
            .map(|(english, translation)| (Phrase::from(english), Phrase::from(translation)))
            .collect();
        Self { whole, with_placeholders }
    }
}

impl Catalogue {
    fn find(&self, message: &str) -> Option<String> {
        if let Some(translation) = self.whole.get(message) {
            return Some(translation.clone());
        }
        self.with_placeholders.iter().find_map(|(english, translation)| {
            let values = english.values_in(message)?;
            let named: Vec<(&str, &dyn Display)> =
                values.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
            Some(translation.with(&named))
        })
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
    fn most_preferred_supported_language_is_chosen() {
        assert_eq!(preferred("si"), Language::Sinhala);
        assert_eq!(preferred("TA-LK,en;q=0.5"), Language::Tamil);
        assert_eq!(preferred("en;q=0.2, de, ta;q=0.9"), Language::Tamil);
        for rubbish in ["", "*", "de", "sinhala", ";;q=,,", "si\u{e9}", &"si,".repeat(1000)] {
            assert_eq!(preferred(rubbish), Language::English, "{rubbish}");
        }
        assert_eq!(preferred_language(&HeaderMap::new()), Language::English);
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
