//! The texts of evidence packs in the user's language.

use crate::base::i18n::{
    catalogues::{CatalogueError, Catalogues},
    phrase::Phrase,
};
use serde::Deserialize;
use std::{collections::HashMap, sync::LazyLock};
use tender_model::vocabulary::Language;

static CATALOGUES: LazyLock<Catalogues<EvidenceTexts>> = LazyLock::new(|| {
    let sources = [
        include_str!("../../../../locales/evidence/en.json"),
        include_str!("../../../../locales/evidence/si.json"),
        include_str!("../../../../locales/evidence/ta.json"),
    ];
    Catalogues::read("evidence packs", sources)
});

/// Fails if one of these catalogues is malformed.
pub(crate) fn check() -> Result<(), CatalogueError> {
    CATALOGUES.check()
}

/// All texts of evidence packs in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct EvidenceTexts {
    pub(super) heading: String,
    pub(super) intro: String,
    pub(super) tender: String,
    pub(super) source: String,
    pub(super) original: String,
    pub(super) publications: String,
    pub(super) issue: Phrase,
    pub(super) page: Phrase,
    pub(super) not_printed: String,
    pub(super) fields: String,
    pub(super) printed: Phrase,
    pub(super) place: String,
    pub(super) marking: String,
    pub(super) address: String,
    pub(super) as_closing: String,
    pub(super) doubtful: String,
    pub(super) entered: String,
    pub(super) history: String,
    pub(super) published: String,
    pub(super) changed: Phrase,
    pub(super) owner: String,
    pub(super) portal: String,
    pub(super) nothing: String,
    pub(super) no_changes: String,
    pub(super) image: Phrase,
    pub(super) checksum: Phrase,
    pub(super) text: String,
    pub(super) missing: Phrase,
    pub(super) more: Phrase,
    pub(super) created: Phrase,
    pub(super) page_of: String,
    pub(super) yes: String,
    pub(super) no: String,
    pub(super) or_higher: String,
    pub(super) or_lower: String,
    names: HashMap<String, String>,
}

impl EvidenceTexts {
    /// The texts in a language.
    pub(super) fn of(language: Language) -> &'static Self {
        CATALOGUES.of(language)
    }

    /// The name of a field, or of the list that it belongs to. Without a name, the path itself.
    pub(super) fn name<'n>(&'n self, path: &'n str) -> &'n str {
        let mut known = path;
        loop {
            if let Some(name) = self.names.get(known) {
                return name;
            }
            match known.rsplit_once('.') {
                Some((parent, _)) => known = parent,
                None => return path,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_names_in_every_language() {
        check().unwrap();
        for language in Language::ALL.iter().copied() {
            let texts = EvidenceTexts::of(language);
            assert_ne!(texts.name("dates.closing"), "dates.closing", "{language:?}");
            assert_eq!(texts.name("cida.0.grade"), texts.name("cida"));
            assert_eq!(texts.name("unknown.path"), "unknown.path");
        }
    }
}
