//! What of a tender is text, in the order in which "why it matched" prefers it.

use crate::tender::Tender;

/// The texts that keywords look in, each by itself, with its path in JSON (`tags.0`).
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

/// One of the texts of a tender. Displayed as its path in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextField {
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
