//! How what is looked for is found: a tree of words, phrases, names, references and facts as a Tantivy query that says which tenders
//! have it, and nothing of how well: that is `merit`'s part. What a typed text is taken to mean is decided in `understand`.

use super::{FactCondition, SearchContext, SearchedText, fact_query::fact_query};
use crate::{
    query::pattern_query::PatternQuery,
    schema::{Fields, stems},
};
use tantivy::{
    Score, Term,
    query::{BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery, TermSetQuery},
    schema::{Field, IndexRecordOption},
};
use tender_model::{
    pattern::Pattern,
    vocabulary::{MatchType, gazetteer::Spelling},
};

/// What of a tender a text may find it by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All that it says.
    Everything,
    /// Its title, organisation and reference: what may be read of a locked tender.
    Stub,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum QueryNode {
    /// All of these.
    All(Vec<QueryNode>),
    /// Any of these.
    Any(Vec<QueryNode>),
    /// A word or another form of it, in any text; the weight is 1 for what was typed, less for what it is taken for.
    Word(String, Score),
    /// Words side by side, as they are written.
    Phrase(Vec<String>, SearchedText),
    /// A name in one of its spellings, and of how many words it was typed.
    Name(Spelling, SearchedText, usize),
    /// References that are written so, whatever separates their parts.
    References(Vec<String>),
    /// A fact.
    Fact(FactCondition),
}

/// What is to be shown as found in a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Highlight {
    /// A word, as normalised, or another of the same English stem.
    Word { word: String, stem: String },
    /// Normalised words side by side; the last may go on.
    Phrase { words: Vec<String>, open: bool },
}

impl QueryNode {
    /// The query that finds it.
    pub(super) fn to_query(&self, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
        let fields = context.fields;
        match self {
            Self::All(nodes) => {
                let queries = nodes.iter().map(|node| (Occur::Must, node.to_query(context, scope)));
                Box::new(BooleanQuery::new(queries.collect()))
            }
            Self::Any(nodes) => any(nodes.iter().map(|node| node.to_query(context, scope))),
            Self::Word(word, _) => match scope {
                Scope::Everything => holds(fields.stems, &stem(word)),
                Scope::Stub => any([holds(fields.title_stems, &stem(word)), holds(fields.reference, word)]),
            },
            Self::Phrase(words, within) => {
                any(within.found_in(fields, scope).iter().map(|field| side_by_side(*field, words)))
            }
            Self::Name(spelling, within, _) => any(name_queries(spelling, *within, fields, scope)),
            Self::References(references) => references_query(references, fields),
            Self::Fact(fact) => fact_query(fact, context),
        }
    }

    /// What of it can be shown in a text.
    pub(super) fn add_sought(&self, sought: &mut Vec<Highlight>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.add_sought(sought)),
            Self::Word(word, _) => sought.push(Highlight::Word { word: word.clone(), stem: stem(word) }),
            Self::Phrase(words, _) => sought.push(Highlight::Phrase { words: words.clone(), open: false }),
            Self::Name(spelling, ..) => sought.push(Highlight::Phrase {
                words: spelling.words.split(' ').map(str::to_owned).collect(),
                open: spelling.grows,
            }),
            Self::References(_) | Self::Fact(_) => {}
        }
    }
}

impl SearchedText {
    /// The fields that together hold these texts and nothing else.
    fn found_in(self, fields: &Fields, scope: Scope) -> Vec<Field> {
        match (self, scope) {
            (Self::Title, _) => vec![fields.title],
            (Self::Organization, _) => vec![fields.organization],
            (Self::Reference, _) => vec![fields.reference],
            (Self::Anything, Scope::Everything) => vec![fields.words],
            (Self::Anything, Scope::Stub) => vec![fields.title, fields.organization, fields.reference],
        }
    }
}

/// A name in each of the fields that it is looked for in.
pub(super) fn name_queries(
    spelling: &Spelling,
    within: SearchedText,
    fields: &Fields,
    scope: Scope,
) -> Vec<Box<dyn Query>> {
    let match_type = if spelling.grows { MatchType::StartsWith } else { MatchType::Exact };
    let Some(pattern) = Pattern::new(&spelling.words, match_type) else { return Vec::new() };
    let query = |field| Box::new(PatternQuery::new(field, pattern.clone())) as Box<dyn Query>;
    within.found_in(fields, scope).into_iter().map(query).collect()
}

/// Any of these references.
pub(super) fn references_query(references: &[String], fields: &Fields) -> Box<dyn Query> {
    let terms = references.iter().map(|text| Term::from_field_text(fields.solid_reference, text));
    Box::new(TermSetQuery::new(terms))
}

/// Words side by side in a field.
fn side_by_side(field: Field, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => holds(field, word),
        words => {
            Box::new(PhraseQuery::new(words.iter().map(|word| Term::from_field_text(field, word)).collect()))
        }
    }
}

/// A word in a field.
fn holds(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::Basic))
}

fn any(queries: impl IntoIterator<Item = Box<dyn Query>>) -> Box<dyn Query> {
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

/// The English stem of a word; other scripts' words are their own.
pub(crate) fn stem(word: &str) -> String {
    let mut analyzer = stems();
    let mut stream = analyzer.token_stream(word);
    if stream.advance() { stream.token().text.clone() } else { word.to_owned() }
}
