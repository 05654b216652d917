//! The texts of a tender that are searched.

use tender_model::tender::Tender;

/// The texts of a tender, in the order in which match reasons prefer them.
pub(crate) fn texts(tender: &Tender) -> impl Iterator<Item = (TextField, &str)> {
    [
        (TextField::Title, tender.title.as_str()),
        (TextField::Description, &tender.description),
        (TextField::FullText, &tender.full_text_markdown),
    ]
    .into_iter()
    .chain(tender.tags.iter().enumerate().map(|(index, tag)| (TextField::Tag(index), tag.as_str())))
    .chain([
        (TextField::Organization, tender.organization.name.as_str()),
        (TextField::Reference, tender.reference_no.as_deref().unwrap_or_default()),
    ])
}

/// The texts of a tender that are searched, in the order in which match reasons prefer them.
pub fn searched_texts(tender: &Tender) -> impl Iterator<Item = &str> {
    texts(tender).map(|(_, text)| text)
}

/// The text of a field. It is empty if the tender has no such text.
pub(crate) fn text_of(tender: &Tender, field: TextField) -> &str {
    match field {
        TextField::Title => &tender.title,
        TextField::Description => &tender.description,
        TextField::FullText => &tender.full_text_markdown,
        TextField::Tag(index) => tender.tags.get(index).map_or("", String::as_str),
        TextField::Organization => &tender.organization.name,
        TextField::Reference => tender.reference_no.as_deref().unwrap_or_default(),
    }
}

/// A text of a tender. The display form is the JSON path of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextField {
    /// `title`
    Title,
    /// `description`
    Description,
    /// `fullTextMarkdown`
    FullText,
    /// `tags.0`, …
    Tag(usize),
    /// `organization.name`
    Organization,
    /// `referenceNo`
    Reference,
}

impl TextField {
    /// Whether the text is the title or the scope. In [`texts`], these come before all others.
    pub(crate) const fn is_scope(self) -> bool {
        matches!(self, Self::Title | Self::Description)
    }
}

impl std::fmt::Display for TextField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Title => f.write_str("title"),
            Self::Description => f.write_str("description"),
            Self::FullText => f.write_str("fullTextMarkdown"),
            Self::Tag(index) => write!(f, "tags.{index}"),
            Self::Organization => f.write_str("organization.name"),
            Self::Reference => f.write_str("referenceNo"),
        }
    }
}
