//! [`SearchField`]: the indexed texts of a tender, which each engine has.

/// An indexed text of a tender. An engine has one inverted index for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchField {
    /// The words of the title.
    Title,
    /// The words of the organisation's name.
    Organization,
    /// The words of the reference.
    Reference,
    /// The words of the reference, joined without separators.
    SolidReference,
    /// The words of all texts. Phrases do not match across texts.
    Words,
    /// The stems of all texts, without positions.
    Stems,
    /// The stems of title and organisation, without positions. Everyone may read these texts.
    TitleStems,
}

/// A normalised word or stem of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldTerm {
    /// The field.
    pub field: SearchField,
    /// The word or stem.
    pub term: String,
}

impl FieldTerm {
    /// A term of a field.
    #[must_use]
    pub fn new(field: SearchField, term: &str) -> Self {
        Self { field, term: term.to_owned() }
    }
}
