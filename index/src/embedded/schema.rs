//! The fields of the index. An index with another [`SCHEMA_VERSION`] must be rebuilt.

use crate::analysis::{STEM_TOKENIZER, WORD_TOKENIZER};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

/// Increase this when the fields or their contents change.
pub const SCHEMA_VERSION: u32 = 5;

/// The fields of the index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The id, for lookup and deletion.
    pub(crate) id: Field,
    pub(crate) title: Field,
    /// The description, for alerts that are limited to title and scope.
    pub(crate) description: Field,
    /// The name of the organisation. It is also stored as a column, for the facet.
    pub(crate) organization: Field,
    pub(crate) reference: Field,
    /// The words of the reference, joined without separators.
    pub(crate) solid_reference: Field,
    /// All searchable texts. Each text is a separate value, so that phrases do not match across
    /// texts.
    pub(crate) words: Field,
    /// All searchable texts, stemmed and without positions.
    pub(crate) stems: Field,
    /// Title and organisation, stemmed and without positions. The text of locked tenders is
    /// searched only in this field, `title`, `organization`, `reference` and `solid_reference`.
    pub(crate) title_stems: Field,
    /// The whole tender as JSON.
    pub(crate) json: Field,
    /// The columns from `traits` to `currency` contain the [`crate::query::FilterValues`], but
    /// `city` contains the name itself.
    pub(crate) traits: Field,
    pub(crate) places: Field,
    pub(crate) city: Field,
    pub(crate) grades: Field,
    pub(crate) live_until: Field,
    pub(crate) closing: Field,
    pub(crate) published_at: Field,
    pub(crate) value: Field,
    pub(crate) currency: Field,
    /// The newspapers that printed the tender.
    pub(crate) publication: Field,
    /// The account that owns the tender. The tender's JSON does not contain it.
    pub(crate) owner: Field,
    /// The upper half of the id, for sorting.
    pub(crate) id_high: Field,
    /// The lower half of the id, for sorting.
    pub(crate) id_low: Field,
}

/// Builds the schema and its fields.
pub(crate) fn schema() -> (Schema, Fields) {
    use IndexRecordOption::{WithFreqs, WithFreqsAndPositions};
    let mut builder = Schema::builder();
    let text = |tokenizer: &str, option| {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(option);
        TextOptions::default().set_indexing_options(indexing)
    };
    let names = || TextOptions::default().set_fast("raw");
    let fields = Fields {
        id: builder.add_text_field("id", STRING),
        title: builder.add_text_field("title", text(WORD_TOKENIZER, WithFreqsAndPositions)),
        description: builder.add_text_field("description", text(WORD_TOKENIZER, WithFreqsAndPositions)),
        organization: builder
            .add_text_field("organization", text(WORD_TOKENIZER, WithFreqsAndPositions).set_fast("raw")),
        reference: builder.add_text_field("reference", text(WORD_TOKENIZER, WithFreqsAndPositions)),
        solid_reference: builder.add_text_field("solid_reference", STRING),
        words: builder.add_text_field("words", text(WORD_TOKENIZER, WithFreqsAndPositions)),
        stems: builder.add_text_field("stems", text(STEM_TOKENIZER, WithFreqs)),
        title_stems: builder.add_text_field("title_stems", text(STEM_TOKENIZER, WithFreqs)),
        json: builder.add_text_field("json", STORED),
        traits: builder.add_u64_field("traits", FAST),
        places: builder.add_u64_field("places", FAST),
        city: builder.add_text_field("city", names()),
        grades: builder.add_u64_field("grades", FAST),
        live_until: builder.add_i64_field("live_until", FAST),
        closing: builder.add_i64_field("closing", FAST),
        published_at: builder.add_i64_field("published_at", FAST),
        value: builder.add_i64_field("value", FAST),
        currency: builder.add_u64_field("currency", FAST),
        publication: builder.add_text_field("publication", names()),
        owner: builder.add_text_field("owner", names()),
        id_high: builder.add_u64_field("id_high", FAST),
        id_low: builder.add_u64_field("id_low", FAST),
    };
    (builder.build(), fields)
}
