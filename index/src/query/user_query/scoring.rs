//! [`ScoringClause`]: what raises the score of a tender, and by how much. The weights in this file
//! multiply the BM25 score of a field. For names and references, the weight itself is the score.

use super::{
    search_field::SearchField,
    syntax::SearchedText,
    term_index::TermIndex,
    text_query::{QueryNode, Scope, name_pattern},
};
use crate::{analysis::stem, error::IndexError};
use tender_model::pattern::Pattern;

/// The weight of a match in each field.
mod weight {
    /// Any text of the tender, including the title.
    pub(super) const WORDS: f32 = 1.0;
    /// Any text of the tender, including other forms of the word.
    pub(super) const STEMS: f32 = 0.6;
    pub(super) const TITLE: f32 = 2.5;
    pub(super) const TITLE_STEMS: f32 = 1.5;
    pub(super) const ORGANIZATION: f32 = 0.5;
    pub(super) const REFERENCE: f32 = 2.0;
    /// A reference that equals or starts with the typed text.
    pub(super) const SOLID_REFERENCE: f32 = 12.0;
    /// A name, per typed word. It is constant, because document frequencies are not comparable
    /// across scripts.
    pub(super) const NAME: f32 = 6.0;
    /// All words near each other in the title.
    pub(super) const NEAR_IN_TITLE: f32 = 1.5;
    /// All words near each other in the organisation.
    pub(super) const NEAR_IN_ORGANIZATION: f32 = 0.6;
    /// All words next to each other in the reference.
    pub(super) const NEAR_IN_REFERENCE: f32 = 4.0;
}

/// A clause that adds to the score of the tenders it matches.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoringClause {
    /// The tenders whose score is raised.
    pub matches: ScoredMatch,
    /// The factor of the BM25 score, or the score itself if it is constant.
    pub weight: f32,
}

/// A match that raises the score.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoredMatch {
    /// Words in order, scored by BM25. Never empty.
    Words {
        /// The field.
        field: SearchField,
        /// The words.
        words: Vec<String>,
        /// By how much their positions may deviate from a phrase in total.
        slop: u32,
    },
    /// A name, with a constant score.
    Name {
        /// The field.
        field: SearchField,
        /// The name in one spelling.
        pattern: Pattern,
    },
    /// Any of these references without separators, with a constant score.
    References(Vec<String>),
}

impl ScoringClause {
    fn word(field: SearchField, word: &str, weight: f32) -> Self {
        Self::words(field, &[word.to_owned()], 0, weight)
    }

    fn words(field: SearchField, words: &[String], slop: u32, weight: f32) -> Self {
        Self { matches: ScoredMatch::Words { field, words: words.to_vec(), slop }, weight }
    }
}

/// Adds the scoring clauses of a node.
pub(super) fn add_scoring_clauses(node: &QueryNode, scope: Scope, scoring_clauses: &mut Vec<ScoringClause>) {
    use SearchField::{Organization, Reference, Stems, Title, TitleStems, Words};
    match node {
        QueryNode::All(nodes) | QueryNode::Any(nodes) => {
            nodes.iter().for_each(|node| add_scoring_clauses(node, scope, scoring_clauses));
        }
        QueryNode::Word(word, weight) => {
            let stem = stem(word);
            let everything = [(Words, word, weight::WORDS), (Stems, &stem, weight::STEMS)];
            let stub = [
                (Title, word, weight::TITLE),
                (TitleStems, &stem, weight::TITLE_STEMS),
                (Organization, word, weight::ORGANIZATION),
                (Reference, word, weight::REFERENCE),
            ];
            let everything = everything.into_iter().filter(|_| scope == Scope::Everything);
            let each = stub.into_iter().chain(everything);
            scoring_clauses
                .extend(each.map(|(field, word, each)| ScoringClause::word(field, word, each * weight)));
        }
        QueryNode::Phrase(words, within) => {
            let title = (Title, weight::TITLE);
            let organization = (Organization, weight::ORGANIZATION);
            let reference = (Reference, weight::REFERENCE);
            let each = match within {
                SearchedText::Title => vec![title],
                SearchedText::Organization => vec![organization],
                SearchedText::Reference => vec![reference],
                SearchedText::Anything if scope == Scope::Stub => vec![title, organization, reference],
                SearchedText::Anything => {
                    vec![title, organization, reference, (Words, weight::WORDS)]
                }
            };
            scoring_clauses.extend(
                each.into_iter().map(|(field, weight)| ScoringClause::words(field, words, 0, weight)),
            );
        }
        QueryNode::Name(spelling, within, typed) => {
            let Some(pattern) = name_pattern(spelling) else { return };
            let weight = weight::NAME * *typed as f32;
            scoring_clauses.extend(within.fields(scope).iter().map(|field| ScoringClause {
                matches: ScoredMatch::Name { field: *field, pattern: pattern.clone() },
                weight,
            }));
        }
        QueryNode::References(references) => scoring_clauses.push(ScoringClause {
            matches: ScoredMatch::References(references.clone()),
            weight: weight::SOLID_REFERENCE,
        }),
        QueryNode::Field(_) => {}
    }
}

/// Clauses for tenders with all words near each other in the title or organisation, or adjacent in
/// the reference.
pub(super) fn proximity_clauses(
    words: &[String],
    index: &dyn TermIndex,
) -> Result<Vec<ScoringClause>, IndexError> {
    /// If even the rarest word is in more titles than this, reading positions costs more than it
    /// gains.
    const MAX_TITLE_FREQUENCY: u64 = 20_000;
    let mut rarest = None;
    for word in words.iter().filter(|_| words.len() > 1) {
        let count = index.frequency(SearchField::Title, word)?;
        rarest = Some(rarest.map_or(count, |rarest: u64| rarest.min(count)));
    }
    if rarest.is_none_or(|count| count > MAX_TITLE_FREQUENCY) {
        return Ok(Vec::new());
    }
    let slop = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let mut ways = vec![
        ScoringClause::words(SearchField::Title, words, slop, weight::NEAR_IN_TITLE),
        ScoringClause::words(SearchField::Organization, words, slop, weight::NEAR_IN_ORGANIZATION),
    ];
    if words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        ways.push(ScoringClause::words(SearchField::Reference, words, 0, weight::NEAR_IN_REFERENCE));
    }
    Ok(ways)
}
