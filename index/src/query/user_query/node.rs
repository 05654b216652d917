//! [`QueryNode`]: a tree of words, phrases, names, references and field conditions, and the Tantivy
//! query for tenders that match the tree. Scores are computed in `scoring`.

use super::{
    context::SearchContext, field_condition::FieldCondition, field_query::field_query, syntax::SearchedText,
};
use crate::{analysis::stem, query::pattern_query::PatternQuery, schema::Fields};
use tantivy::{
    Score, Term,
    query::{BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery, TermSetQuery},
    schema::{Field, IndexRecordOption},
};
use tender_model::{
    pattern::Pattern,
    vocabulary::{MatchType, gazetteer::Spelling},
};

/// The texts of a tender that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All texts.
    Everything,
    /// Title, organisation and reference. Everyone may read them, even of a locked tender.
    Stub,
}

/// A node of the query tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum QueryNode {
    /// All of these nodes must match.
    All(Vec<QueryNode>),
    /// At least one of these nodes must match.
    Any(Vec<QueryNode>),
    /// A word or another form of it, in any text. The weight is 1 for a typed word or its most
    /// likely correction, and less for other corrections.
    Word(String, Score),
    /// Words next to each other, as written.
    Phrase(Vec<String>, SearchedText),
    /// A name in one spelling, and the number of words that were typed.
    Name(Spelling, SearchedText, usize),
    /// References without separators.
    References(Vec<String>),
    /// A condition on a field.
    Field(FieldCondition),
}

/// Words to mark in the texts of a tender.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Highlight {
    /// A normalised word, and its English stem.
    Word { word: String, stem: String },
    /// Normalised words next to each other. If `open`, the last word may have an ending.
    Phrase { words: Vec<String>, open: bool },
}

impl QueryNode {
    /// The query for tenders that match this node.
    pub(super) fn to_query(&self, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
        let fields = context.fields;
        match self {
            Self::All(nodes) => {
                let queries = nodes.iter().map(|node| (Occur::Must, node.to_query(context, scope)));
                Box::new(BooleanQuery::new(queries.collect()))
            }
            Self::Any(nodes) => any_of(nodes.iter().map(|node| node.to_query(context, scope))),
            Self::Word(word, _) => match scope {
                Scope::Everything => word_query(fields.stems, &stem(word)),
                Scope::Stub => {
                    any_of([word_query(fields.title_stems, &stem(word)), word_query(fields.reference, word)])
                }
            },
            Self::Phrase(words, within) => {
                any_of(within.searched_fields(fields, scope).iter().map(|field| phrase_query(*field, words)))
            }
            Self::Name(spelling, within, _) => any_of(name_queries(spelling, *within, fields, scope)),
            Self::References(references) => references_query(references, fields),
            Self::Field(condition) => field_query(condition, context),
        }
    }

    /// Adds the words of this node that can be marked in a text.
    pub(super) fn add_highlights(&self, highlights: &mut Vec<Highlight>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => {
                nodes.iter().for_each(|node| node.add_highlights(highlights))
            }
            Self::Word(word, _) => highlights.push(Highlight::Word { word: word.clone(), stem: stem(word) }),
            Self::Phrase(words, _) => {
                highlights.push(Highlight::Phrase { words: words.clone(), open: false })
            }
            Self::Name(spelling, ..) => highlights.push(Highlight::Phrase {
                words: spelling.words.split(' ').map(str::to_owned).collect(),
                open: spelling.takes_endings,
            }),
            Self::References(_) | Self::Field(_) => {}
        }
    }
}

impl SearchedText {
    /// The fields that together contain exactly these texts.
    fn searched_fields(self, fields: &Fields, scope: Scope) -> Vec<Field> {
        match (self, scope) {
            (Self::Title, _) => vec![fields.title],
            (Self::Organization, _) => vec![fields.organization],
            (Self::Reference, _) => vec![fields.reference],
            (Self::Anything, Scope::Everything) => vec![fields.words],
            (Self::Anything, Scope::Stub) => vec![fields.title, fields.organization, fields.reference],
        }
    }
}

/// Queries for a name in each searched field.
pub(super) fn name_queries(
    spelling: &Spelling,
    within: SearchedText,
    fields: &Fields,
    scope: Scope,
) -> Vec<Box<dyn Query>> {
    let match_type = if spelling.takes_endings { MatchType::StartsWith } else { MatchType::Exact };
    let Some(pattern) = Pattern::new(&spelling.words, match_type) else { return Vec::new() };
    let query = |field| Box::new(PatternQuery::new(field, pattern.clone())) as Box<dyn Query>;
    within.searched_fields(fields, scope).into_iter().map(query).collect()
}

/// A query for any of these references.
pub(super) fn references_query(references: &[String], fields: &Fields) -> Box<dyn Query> {
    let terms = references.iter().map(|text| Term::from_field_text(fields.solid_reference, text));
    Box::new(TermSetQuery::new(terms))
}

/// A query for adjacent words in a field.
fn phrase_query(field: Field, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => word_query(field, word),
        words => {
            Box::new(PhraseQuery::new(words.iter().map(|word| Term::from_field_text(field, word)).collect()))
        }
    }
}

/// A query for a word in a field.
fn word_query(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::Basic))
}

fn any_of(queries: impl IntoIterator<Item = Box<dyn Query>>) -> Box<dyn Query> {
    let mut queries: Vec<Box<dyn Query>> = queries.into_iter().collect();
    match (queries.pop(), queries.is_empty()) {
        (None, _) => Box::new(EmptyQuery),
        (Some(only), true) => only,
        (Some(last), false) => {
            queries.push(last);
            Box::new(BooleanQuery::union(queries))
        }
    }
}
