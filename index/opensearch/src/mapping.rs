//! The settings and fields of an index in the cluster. An index with another [`MAPPING_VERSION`] must
//! be rebuilt.

use crate::{cluster::ClusterConfig, similarity};
use index::query::SearchField;
use serde_json::{Value, json};

/// Increase this when the fields, their contents or the similarity change.
pub(crate) const MAPPING_VERSION: u32 = 2;

/// The name of an indexed text in the cluster.
pub(crate) const fn field_name(field: SearchField) -> &'static str {
    match field {
        SearchField::Title => "title",
        SearchField::Organization => "organization",
        SearchField::Reference => "reference",
        SearchField::SolidReference => "solid_reference",
        SearchField::Words => "words",
        SearchField::Stems => "stems",
        SearchField::TitleStems => "title_stems",
    }
}

/// The body of the request that creates an index.
pub(crate) fn create_request(config: &ClusterConfig) -> Value {
    let text = |field: SearchField, options: &str| {
        json!({
            "type": "text", "analyzer": "words", "index_options": options,
            "similarity": similarity::name(field),
        })
    };
    let stored = || json!({"type": "keyword", "index": false, "doc_values": false});
    let settings = json!({
        "number_of_shards": config.shards,
        "number_of_replicas": config.replicas,
        // Only a commit shows changes to readers.
        "refresh_interval": "-1",
        "max_result_window": crate::listing::MAX_WINDOW,
        "analysis": {
            "tokenizer": {"spaces": {"type": "whitespace", "max_token_length": 5000}},
            "analyzer": {"words": {"type": "custom", "tokenizer": "spaces"}},
        },
        "similarity": similarity::definitions(),
    });
    let mut properties = json!({
        "json": stored(),
        "change_id": stored(),
        "listed": {"type": "boolean"},
        "closing_unread": {"type": "boolean"},
        "title": text(SearchField::Title, "positions"),
        "organization": text(SearchField::Organization, "positions"),
        "reference": text(SearchField::Reference, "positions"),
        "words": text(SearchField::Words, "positions"),
        "stems": text(SearchField::Stems, "freqs"),
        "title_stems": text(SearchField::TitleStems, "freqs"),
        "patterns": {"type": "wildcard", "doc_values": true},
        "scope_words": text(SearchField::Words, "positions"),
        "scope_patterns": {"type": "wildcard", "doc_values": true},
    });
    for name in KEYWORDS {
        properties[name] = json!({"type": "keyword", "ignore_above": 8000});
    }
    for name in NUMBERS {
        properties[name] = json!({"type": "long"});
    }
    let versions = json!({"mapping": MAPPING_VERSION, "analysis": index::ANALYSIS_VERSION});
    let mappings = json!({"dynamic": "strict", "_meta": versions, "properties": properties});
    json!({"settings": settings, "mappings": mappings})
}

/// The fields with names and values of vocabularies.
const KEYWORDS: [&str; 21] = [
    "id",
    "owner",
    "solid_reference",
    "sector",
    "category",
    "kind",
    "priority",
    "organization_type",
    "status",
    "language",
    "visibility",
    "province",
    "district",
    "grade",
    "city",
    "city_key",
    "organization_name",
    "organization_key",
    "publication",
    "publication_key",
    "currency",
];

/// The fields with seconds since 1970, minor units or positions.
const NUMBERS: [&str; 5] = ["position", "live_until", "closing", "published_at", "value"];
