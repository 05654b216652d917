//! BM25 whose statistics do not change with the index. The score of a tender is then the same on every
//! copy of a shard, and on every page of a listing, whatever is written in between.
//!
//! The cluster computes the part that depends on the tender, with a fixed average length for each
//! field. This crate multiplies each clause by the inverse document frequency, which the cursor of a
//! listing pins.

use index::query::SearchField;
use serde_json::{Map, Value, json};

/// The parameters of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The fields that are scored.
const SCORED: [SearchField; 6] = [
    SearchField::Title,
    SearchField::Organization,
    SearchField::Reference,
    SearchField::Words,
    SearchField::Stems,
    SearchField::TitleStems,
];

/// The average number of words of a field in the real notices of the relevance benchmark, rounded.
const fn average_length(field: SearchField) -> u32 {
    match field {
        SearchField::Title => 10,
        SearchField::Organization => 5,
        SearchField::Reference => 4,
        SearchField::SolidReference => 1,
        SearchField::Words | SearchField::Stems => 90,
        SearchField::TitleStems => 15,
    }
}

/// The name of the similarity of a field.
pub(crate) fn name(field: SearchField) -> String {
    format!("pinned_{}", crate::mapping::field_name(field))
}

/// The definitions of all similarities, for the settings of an index.
pub(crate) fn definitions() -> Value {
    let definition = |field: SearchField| {
        let (average, free) = (f64::from(average_length(field)), 1.0 - B);
        let source = format!(
            "return query.boost * {} * doc.freq / (doc.freq + {K1} * ({free} + {B} * doc.length / {average:?}));",
            K1 + 1.0,
        );
        (name(field), json!({"type": "scripted", "script": {"source": source}}))
    };
    Value::Object(SCORED.into_iter().map(definition).collect::<Map<_, _>>())
}

/// The inverse document frequency of a term that `frequency` of `tenders` have.
pub(crate) fn idf(tenders: u64, frequency: u64) -> f64 {
    let (all, having) = (tenders as f64, frequency.min(tenders) as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}
