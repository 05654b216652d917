//! Turns text into index terms: the tokenizers of the schema's fields, and the stemmer.

use tantivy::tokenizer::{Language, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};
use tender_model::text::Words;

/// Increase this when the tokenizers yield different words or stems.
pub const ANALYSIS_VERSION: u32 = 1;

/// The name of the tokenizer that yields normalised words.
pub(crate) const WORD_TOKENIZER: &str = "words";

/// The name of the tokenizer that yields the English stems of normalised words.
pub(crate) const STEM_TOKENIZER: &str = "english_stems";

/// The tokenizers that the schema refers to.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(WORD_TOKENIZER, TextAnalyzer::from(WordTokenizer));
    manager.register(STEM_TOKENIZER, stem_analyzer());
    manager
}

/// The analyzer of the stemmed fields.
fn stem_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(WordTokenizer).filter(Stemmer::new(Language::English)).build()
}

/// A Tantivy tokenizer that yields the normalised words.
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
        let Some(place) = self.words.ranges().get(self.next) else { return false };
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

/// The English stem of a normalised word. Words in other scripts stay as they are.
#[must_use]
pub fn stem(word: &str) -> String {
    let mut analyzer = stem_analyzer();
    let mut stream = analyzer.token_stream(word);
    if stream.advance() { stream.token().text.clone() } else { word.to_owned() }
}
