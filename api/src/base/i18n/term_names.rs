//! The names of the terms of the vocabulary, for reports and evidence packs.

use super::catalogues::{CatalogueError, Catalogues};
use serde::Deserialize;
use std::{collections::BTreeMap, fmt::Display, sync::LazyLock};
use tender_model::vocabulary::{
    Category, District, Kind, Language, OrganizationType, Province, Sector, TenderStatus,
};

static CATALOGUES: LazyLock<Catalogues<TermNames>> = LazyLock::new(|| {
    let sources = [
        include_str!("../../../locales/terms/en.json"),
        include_str!("../../../locales/terms/si.json"),
        include_str!("../../../locales/terms/ta.json"),
    ];
    Catalogues::read("terms", sources)
});

/// Fails if one of these catalogues is malformed.
pub(crate) fn check() -> Result<(), CatalogueError> {
    CATALOGUES.check()
}

/// The names of all terms in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct TermNames {
    categories: BTreeMap<Category, String>,
    sectors: BTreeMap<Sector, String>,
    kinds: BTreeMap<Kind, String>,
    organization_types: BTreeMap<OrganizationType, String>,
    statuses: BTreeMap<TenderStatus, String>,
    provinces: BTreeMap<Province, String>,
    districts: BTreeMap<District, String>,
    languages: BTreeMap<Language, String>,
    /// The methods of procurement that notices name most. A tender has the method as printed.
    methods: BTreeMap<String, String>,
}

/// The name of a term. A term without a name is shown as it is stored.
fn name<T: Ord + Display>(names: &BTreeMap<T, String>, term: T) -> String {
    names.get(&term).cloned().unwrap_or_else(|| term.to_string())
}

impl TermNames {
    /// The names in a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        CATALOGUES.of(language)
    }

    /// The name of a category.
    pub(crate) fn category(&self, category: Category) -> String {
        name(&self.categories, category)
    }

    /// The name of a sector.
    pub(crate) fn sector(&self, sector: Sector) -> String {
        name(&self.sectors, sector)
    }

    /// The name of a kind of notice.
    pub(crate) fn kind(&self, kind: Kind) -> String {
        name(&self.kinds, kind)
    }

    /// The name of a type of organisation.
    pub(crate) fn organization_type(&self, kind: OrganizationType) -> String {
        name(&self.organization_types, kind)
    }

    /// The name of a status.
    pub(crate) fn status(&self, status: TenderStatus) -> String {
        name(&self.statuses, status)
    }

    /// The name of a province.
    pub(crate) fn province(&self, province: Province) -> String {
        name(&self.provinces, province)
    }

    /// The name of a district.
    pub(crate) fn district(&self, district: District) -> String {
        name(&self.districts, district)
    }

    /// The name of a language.
    pub(crate) fn language(&self, language: Language) -> String {
        name(&self.languages, language)
    }

    /// The name of a method of procurement. A method without a name is shown as printed.
    pub(crate) fn method(&self, method: &str) -> String {
        self.methods.get(method).map_or(method, String::as_str).to_owned()
    }

    /// The name of the stored value of the field at a path. `None`: the field is not one of the vocabulary,
    /// or the value is not one of its terms.
    pub(crate) fn field_value(&self, path: &str, stored: &str) -> Option<String> {
        match path {
            "category" => stored.parse().ok().map(|term| self.category(term)),
            "kind" => stored.parse().ok().map(|term| self.kind(term)),
            "organization.type" => stored.parse().ok().map(|term| self.organization_type(term)),
            "status" => stored.parse().ok().map(|term| self.status(term)),
            "location.province" => stored.parse().ok().map(|term| self.province(term)),
            "location.district" => stored.parse().ok().map(|term| self.district(term)),
            "language" => stored.parse().ok().map(|term| self.language(term)),
            "method" => Some(self.method(stored)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_every_term() {
        check().unwrap();
        for language in Language::ALL.iter().copied() {
            let names = TermNames::of(language);
            assert!(Category::ALL.iter().all(|term| names.categories.contains_key(term)));
            assert!(Sector::ALL.iter().all(|term| names.sectors.contains_key(term)));
            assert!(Kind::ALL.iter().all(|term| names.kinds.contains_key(term)));
            assert!(OrganizationType::ALL.iter().all(|term| names.organization_types.contains_key(term)));
            assert!(TenderStatus::ALL.iter().all(|term| names.statuses.contains_key(term)));
            assert!(Province::ALL.iter().all(|term| names.provinces.contains_key(term)));
            assert!(District::ALL.iter().all(|term| names.districts.contains_key(term)));
            assert!(Language::ALL.iter().all(|term| names.languages.contains_key(term)));
            let methods = TermNames::of(Language::English).methods.keys();
            assert!(methods.eq(names.methods.keys()));
        }
    }

    #[test]
    fn a_stored_value_has_the_name_of_its_field() {
        let names = TermNames::of(Language::English);
        assert_eq!(names.field_value("method", "shopping").as_deref(), Some("Shopping"));
        assert_eq!(names.field_value("method", "By lottery").as_deref(), Some("By lottery"));
        assert_eq!(
            names.field_value("kind", "expression-of-interest").as_deref(),
            Some("Expression of interest")
        );
        assert_eq!(names.field_value("kind", "surprise"), None);
        assert_eq!(names.field_value("title", "purchase"), None);
    }
}
