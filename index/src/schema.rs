//! The index's fields, its tokenizers, and their versions. The only place that builds a schema: whatever changes here, or in how `text` splits
//! words, raises a version, and an index of another version is built anew.

use tantivy::{
    schema::{FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{Language, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager},
};
use tender_model::text::Words;

/// Raised when the fields or what is written into them change.
pub const SCHEMA_VERSION: u32 = 4;

/// Raised when a text is split into other words than before.
pub const ANALYSIS_VERSION: u32 = 1;

/// Words as `text` splits them.
const WORDS: &str = "words";
/// The same, stemmed as English.
const STEMS: &str = "english_stems";

/// The fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The tender's id, to delete and to get by.
    pub(crate) id: Field,
    pub(crate) title: Field,
    /// The organisation's name; as a column too, for its facet.
    pub(crate) organization: Field,
    pub(crate) reference: Field,
    /// The reference's words as one word, however it is separated.
    pub(crate) solid_reference: Field,
    /// Every text that can be looked in, each a value of its own, so that no phrase runs from one into the next.
    pub(crate) words: Field,
    /// The same, stemmed; without positions.
    pub(crate) stems: Field,
    /// Title and organisation, stemmed; without positions. With `title`, `organization` and `reference`, what a locked
    /// tender may be found by.
    pub(crate) title_stems: Field,
    /// The whole tender as JSON.
    pub(crate) json: Field,
    /// See [`crate::query::TenderFacts`], whose columns these are.
    pub(crate) traits: Field,
    pub(crate) places: Field,
    pub(crate) city: Field,
    pub(crate) grades: Field,
    pub(crate) live_until: Field,
    pub(crate) closing: Field,
    pub(crate) published_at: Field,
    pub(crate) value: Field,
    pub(crate) currency: Field,
    /// The newspapers it was read from.
    pub(crate) publication: Field,
    /// The account that owns it, which is no part of the tender.
    pub(crate) owner: Field,
    /// The upper and lower half of the id, to order by.
    pub(crate) id_high: Field,
    pub(crate) id_low: Field,
}

/// The schema and its fields.
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
        title: builder.add_text_field("title", text(WORDS, WithFreqsAndPositions)),
        organization: builder
            .add_text_field("organization", text(WORDS, WithFreqsAndPositions).set_fast("raw")),
        reference: builder.add_text_field("reference", text(WORDS, WithFreqsAndPositions)),
        solid_reference: builder.add_text_field("solid_reference", STRING),
        words: builder.add_text_field("words", text(WORDS, WithFreqsAndPositions)),
        stems: builder.add_text_field("stems", text(STEMS, WithFreqs)),
        title_stems: builder.add_text_field("title_stems", text(STEMS, WithFreqs)),
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

/// The tokenizers that the schema names.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(WORDS, TextAnalyzer::from(WordTokenizer));
    manager.register(STEMS, stems());
    manager
}

/// The analyzer of the stemmed field.
pub(crate) fn stems() -> TextAnalyzer {
    TextAnalyzer::builder(WordTokenizer).filter(Stemmer::new(Language::English)).build()
}

/// Hands Tantivy the words of `text`.
#[derive(Debug, Clone, Copy, Default)]
struct WordTokenizer;

struct WordStream {
    words: Words,
    next: usize,
    token: Token,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream;

    fn token_stream(&mut self, text: &str) -> WordStream {
        WordStream { words: Words::of(text), next: 0, token: Token::default() }
    }
}

impl TokenStream for WordStream {
    fn advance(&mut self) -> bool {
        let Some(place) = self.words.places().get(self.next) else { return false };
        self.token.text.clear();
        self.token.text.push_str(&self.words.as_str()[place.start..place.end]);
        self.token.offset_from = place.from;
        self.token.offset_to = place.to;
        self.token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
