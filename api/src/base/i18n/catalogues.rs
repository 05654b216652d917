//! Message catalogues in English, Sinhala and Tamil.

use serde::de::DeserializeOwned;
use tender_model::vocabulary::Language;

/// One catalogue for each language.
#[derive(Debug)]
pub(crate) struct Catalogues<T> {
    english: T,
    sinhala: T,
    tamil: T,
    problem: Option<CatalogueError>,
}

/// A catalogue is malformed: it lacks a text, has an unknown one, or is no JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the catalogue of {what} in {language} is malformed: {reason}")]
pub struct CatalogueError {
    what: &'static str,
    language: &'static str,
    reason: String,
}

impl<T: DeserializeOwned + Default> Catalogues<T> {
    /// Parses the JSON texts of the English, Sinhala and Tamil catalogues of `what`. A malformed
    /// catalogue becomes empty, and [`Catalogues::check`] fails.
    pub(crate) fn read(what: &'static str, [english, sinhala, tamil]: [&str; 3]) -> Self {
        let mut problem = None;
        let mut read = |language: Language, json: &str| {
            serde_json::from_str(json).unwrap_or_else(|error| {
                let (language, reason) = (language.as_str(), error.to_string());
                problem.get_or_insert(CatalogueError { what, language, reason });
                T::default()
            })
        };
        let (english, sinhala) = (read(Language::English, english), read(Language::Sinhala, sinhala));
        let tamil = read(Language::Tamil, tamil);
        Self { english, sinhala, tamil, problem }
    }

    /// Returns the catalogue of a language.
    pub(crate) const fn of(&self, language: Language) -> &T {
        match language {
            Language::English => &self.english,
            Language::Sinhala => &self.sinhala,
            Language::Tamil => &self.tamil,
        }
    }

    /// Fails if a catalogue is malformed. The server checks this when it starts, because it would
    /// otherwise send empty texts.
    pub(crate) fn check(&self) -> Result<(), CatalogueError> {
        self.problem.clone().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Texts {
        greeting: String,
    }

    #[test]
    fn a_malformed_catalogue_is_reported() {
        let good = r#"{"greeting": "Dear"}"#;
        let check =
            |texts| Catalogues::<Texts>::read("mails", texts).check().map_err(|error| error.to_string());
        assert_eq!(check([good; 3]), Ok(()));
        let misnamed = check([good, r#"{"greting": "Dear"}"#, good]).unwrap_err();
        assert!(
            misnamed.starts_with("the catalogue of mails in si is malformed: unknown field"),
            "{misnamed}"
        );
        assert!(check([good, good, "{}"]).unwrap_err().contains("in ta is malformed: missing field"));
    }
}
