//! A tender as a Tantivy document and back, and which of its texts can be looked in.

use crate::{query::TenderFacts, schema::Fields};
use tantivy::{
    TantivyDocument,
    schema::{Field, Value},
};
use tender_model::{tender::Tender, text::Words};
use uuid::Uuid;

/// The document of a tender and the account that owns it.
///
/// # Errors
/// When the tender can't be written as JSON.
pub(crate) fn to_document(
    tender: &Tender,
    owner: Option<Uuid>,
    fields: &Fields,
) -> Result<TantivyDocument, serde_json::Error> {
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, tender.id.to_string());
    document.add_text(fields.json, serde_json::to_string(tender)?);
    for (name, text) in texts(tender).filter(|(_, text)| !text.is_empty()) {
        document.add_text(fields.words, text);
        document.add_text(fields.stems, text);
        let also: &[Field] = match name {
            TextField::Title => &[fields.title, fields.title_stems],
            TextField::Organization => &[fields.organization, fields.title_stems],
            TextField::Reference => &[fields.reference],
            TextField::Description | TextField::FullText | TextField::Tag(_) => &[],
        };
        also.iter().for_each(|field| document.add_text(*field, text));
    }
    if let Some(reference) = tender.reference_no.as_deref() {
        let solid = Words::of(reference).iter().collect::<String>();
        if !solid.is_empty() {
            document.add_text(fields.solid_reference, solid);
        }
    }
    if let Some(city) = tender.location.city.as_deref().filter(|city| !city.is_empty()) {
        document.add_text(fields.city, city);
    }
    let mut publications: Vec<&str> =
        tender.sources.iter().map(|source| source.publication.as_str()).collect();
    publications.sort_unstable();
    publications.dedup();
    for publication in publications.into_iter().filter(|publication| !publication.is_empty()) {
        document.add_text(fields.publication, publication);
    }
    if let Some(owner) = owner {
        document.add_text(fields.owner, owner.to_string());
    }
    add_facts(&mut document, &TenderFacts::of(tender), fields);
    let (high, low) = tender.id.as_u64_pair();
    document.add_u64(fields.id_high, high);
    document.add_u64(fields.id_low, low);
    Ok(document)
}

fn add_facts(document: &mut TantivyDocument, facts: &TenderFacts, fields: &Fields) {
    document.add_u64(fields.traits, facts.traits);
    document.add_u64(fields.places, facts.places);
    if facts.grades != 0 {
        document.add_u64(fields.grades, facts.grades);
    }
    let moments = [
        (fields.live_until, facts.live_until),
        (fields.closing, facts.closing),
        (fields.published_at, facts.published_at),
    ];
    for (field, second) in moments {
        if let Some(second) = second {
            document.add_i64(field, second);
        }
    }
    if let Some((value, currency)) = facts.value {
        document.add_i64(fields.value, value.minor());
        document.add_u64(fields.currency, currency.packed());
    }
}

/// The tender of a document.
///
/// # Errors
/// When the document holds no tender.
pub(crate) fn to_tender(document: &TantivyDocument, fields: &Fields) -> Result<Tender, serde_json::Error> {
    serde_json::from_str(document.get_first(fields.json).and_then(|json| json.as_str()).unwrap_or_default())
}

/// The texts that keywords look in, each by itself, in the order in which "why it matched" prefers them.
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

/// The text of a tender that a field names; empty where it has none.
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

/// One of the texts of a tender. Displayed as its path in JSON.
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
