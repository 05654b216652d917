//! Message catalogues in English, Sinhala and Tamil.

use serde::de::DeserializeOwned;
use tender_model::vocabulary::Language;

/// One catalogue for each language.
#[derive(Debug)]
pub(crate) struct Catalogues<T> {
    english: T,
    sinhala: T,
    tamil: T,
}

impl<T: DeserializeOwned + Default> Catalogues<T> {
    /// Parses the JSON texts of the English, Sinhala and Tamil catalogues. A malformed catalogue
    /// becomes empty. Tests ensure that no catalogue is malformed.
    pub(crate) fn read([english, sinhala, tamil]: [&str; 3]) -> Self {
        let read = |json: &str| serde_json::from_str(json).unwrap_or_default();
        Self { english: read(english), sinhala: read(sinhala), tamil: read(tamil) }
    }

    /// Returns the catalogue of a language.
    pub(crate) const fn of(&self, language: Language) -> &T {
        match language {
            Language::English => &self.english,
            Language::Sinhala => &self.sinhala,
            Language::Tamil => &self.tamil,
        }
    }
}
