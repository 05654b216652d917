//! Converts a tender to a Tantivy document and back.

use super::schema::Fields;
use crate::{
    query::FilterValues,
    tender_texts::{TextField, texts},
};
use tantivy::{
    TantivyDocument,
    schema::{Field, Value},
};
use tender_model::{tender::Tender, text::Words};
use uuid::Uuid;

/// Converts a tender to a document. `owner` is the account that owns the tender.
///
/// # Errors
/// Fails if the tender cannot be serialised.
pub(crate) fn to_document(
    tender: &Tender,
    owner: Option<Uuid>,
    fields: &Fields,
) -> Result<TantivyDocument, serde_json::Error> {
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, tender.id.to_string());
    document.add_text(fields.json, serde_json::to_string(tender)?);
    let (high, low) = tender.id.as_u64_pair();
    document.add_u64(fields.id_high, high);
    document.add_u64(fields.id_low, low);
    // The canary can be loaded by its id, and has no words or values by which it could be found.
    if tender.is_canary() {
        add_filter_values(&mut document, &FilterValues::hidden(), fields);
        return Ok(document);
    }
    for (name, text) in texts(tender).filter(|(_, text)| !text.is_empty()) {
        document.add_text(fields.words, text);
        document.add_text(fields.stems, text);
        let also: &[Field] = match name {
            TextField::Title => &[fields.title, fields.title_stems],
            TextField::Organization => &[fields.organization, fields.title_stems],
            TextField::Reference => &[fields.reference],
            TextField::Description => &[fields.description],
            TextField::FullText | TextField::Tag(_) => &[],
        };
        also.iter().for_each(|field| document.add_text(*field, text));
    }
    if let Some(reference) = tender.reference_no.as_deref() {
        let joined = Words::of(reference).iter().collect::<String>();
        if !joined.is_empty() {
            document.add_text(fields.solid_reference, joined);
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
    add_filter_values(&mut document, &FilterValues::of(tender), fields);
    Ok(document)
}

fn add_filter_values(document: &mut TantivyDocument, values: &FilterValues, fields: &Fields) {
    document.add_u64(fields.traits, values.traits);
    document.add_u64(fields.places, values.places);
    if values.grades != 0 {
        document.add_u64(fields.grades, values.grades);
    }
    let moments = [
        (fields.live_until, values.live_until),
        (fields.closing, values.closing),
        (fields.published_at, values.published_at),
    ];
    for (field, second) in moments {
        if let Some(second) = second {
            document.add_i64(field, second);
        }
    }
    if let Some((value, currency)) = values.value {
        document.add_i64(fields.value, value.minor());
        document.add_u64(fields.currency, currency.packed());
    }
}

/// Reads the tender from a document.
///
/// # Errors
/// Fails if the document contains no valid tender.
pub(crate) fn to_tender(document: &TantivyDocument, fields: &Fields) -> Result<Tender, serde_json::Error> {
    serde_json::from_str(document.get_first(fields.json).and_then(|json| json.as_str()).unwrap_or_default())
}
