//! The catalogues of the three languages: how they are read, and how the one of a language is found.

use index::vocabulary::Language;
use serde::de::DeserializeOwned;

/// One catalogue for each language.
#[derive(Debug)]
pub(crate) struct Catalogues<T> {
    english: T,
    sinhala: T,
    tamil: T,
}

impl<T: DeserializeOwned + Default> Catalogues<T> {
    /// Reads the JSON of English, Sinhala and Tamil. A malformed catalogue is empty; a test reads them all.
    pub(crate) fn read([english, sinhala, tamil]: [&str; 3]) -> Self {
        let read = |json: &str| serde_json::from_str(json).unwrap_or_default();
        Self { english: read(english), sinhala: read(sinhala), tamil: read(tamil) }
    }

    /// The catalogue of a language.
    pub(crate) const fn of(&self, language: Language) -> &T {
        match language {
            Language::English => &self.english,
            Language::Sinhala => &self.sinhala,
            Language::Tamil => &self.tamil,
        }
    }
}
