//! How what is looked for is found: a tree of words, phrases, names, references and facts as a Tantivy query, with the weights
//! that order what is found. What a typed text is taken to mean is decided in `understand`.

use super::{Context, Fact, Within, fact_query::fact_query};
use crate::{
    query::{Pattern, pattern_query::PatternQuery},
    schema::{Fields, stems},
    vocabulary::{MatchType, gazetteer::Spelling},
};
use tantivy::{
    Score, Term,
    query::{BooleanQuery, BoostQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery, TermSetQuery},
    schema::{Field, IndexRecordOption},
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
pub(super) enum Node {
    /// All of these.
    All(Vec<Node>),
    /// Any of these.
    Any(Vec<Node>),
    /// A word or another form of it, in any text; the weight is 1 for what was typed, less for what it is taken for.
    Word(String, Score),
    /// Words side by side, as they are written.
    Phrase(Vec<String>, Within),
    /// A name in one of its spellings, and of how many words it was typed.
    Name(Spelling, Within, usize),
    /// References that are written so, whatever separates their parts.
    References(Vec<String>),
    /// A fact.
    Fact(Fact),
}

/// What is to be shown as found in a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sought {
    /// A word, as normalised, or another of the same English stem.
    Word { word: String, stem: String },
    /// Normalised words side by side; the last may go on.
    Phrase { words: Vec<String>, open: bool },
}

/// What a hit in each field weighs.
mod weight {
    use tantivy::Score;

    /// Any text of the tender, the title among them.
    pub(super) const WORDS: Score = 1.0;
    /// Another form of the word.
    pub(super) const STEMS: Score = 0.6;
    pub(super) const TITLE: Score = 2.5;
    pub(super) const TITLE_STEMS: Score = 1.5;
    pub(super) const ORGANIZATION: Score = 0.5;
    pub(super) const REFERENCE: Score = 2.0;
    /// A reference that goes on after what was typed.
    pub(super) const SOLID_REFERENCE: Score = 12.0;
    /// A name, for each word of it as typed: how rare it is, is not known in every script.
    pub(super) const NAME: Score = 6.0;
    /// All words near each other in the title, in the organisation's name, or in the reference.
    pub(super) const NEAR_IN_TITLE: Score = 1.5;
    pub(super) const NEAR_IN_ORGANIZATION: Score = 0.6;
    pub(super) const NEAR_IN_REFERENCE: Score = 4.0;
}

impl Node {
    /// The query that finds it.
    pub(super) fn to_query(&self, context: &Context<'_>, scope: Scope) -> Box<dyn Query> {
        let fields = context.fields;
        let each = |nodes: &[Self], occur: Occur| {
            let queries = nodes.iter().map(|node| (occur, node.to_query(context, scope))).collect();
            Box::new(BooleanQuery::new(queries)) as Box<dyn Query>
        };
        match self {
            Self::All(nodes) => each(nodes, Occur::Must),
            Self::Any(nodes) => match nodes.as_slice() {
                [] => Box::new(EmptyQuery),
                [only] => only.to_query(context, scope),
                nodes => each(nodes, Occur::Should),
            },
            Self::Word(word, weight) => boosted(word_query(word, fields, scope), *weight),
            Self::Phrase(words, within) => any(within
                .fields(fields, scope)
                .iter()
                .map(|(field, weight)| boosted(side_by_side(*field, words), *weight))),
            Self::Name(spelling, within, typed) => {
                boosted(name_query(spelling, *within, fields, scope), weight::NAME * *typed as Score)
            }
            Self::References(references) => {
                let terms = references.iter().map(|text| Term::from_field_text(fields.solid_reference, text));
                boosted(Box::new(TermSetQuery::new(terms)), weight::SOLID_REFERENCE)
            }
            Self::Fact(fact) => fact_query(fact, context),
        }
    }

    /// What of it can be shown in a text.
    pub(super) fn add_sought(&self, sought: &mut Vec<Sought>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.add_sought(sought)),
            Self::Word(word, _) => sought.push(Sought::Word { word: word.clone(), stem: stem(word) }),
            Self::Phrase(words, _) => sought.push(Sought::Phrase { words: words.clone(), open: false }),
            Self::Name(spelling, ..) => sought.push(Sought::Phrase {
                words: spelling.words.split(' ').map(str::to_owned).collect(),
                open: spelling.grows,
            }),
            Self::References(_) | Self::Fact(_) => {}
        }
    }
}

impl Within {
    /// The fields with positions that hold these texts, and what a hit there weighs.
    fn fields(self, fields: &Fields, scope: Scope) -> Vec<(Field, Score)> {
        let title = (fields.title, weight::TITLE);
        let organization = (fields.organization, weight::ORGANIZATION);
        let reference = (fields.reference, weight::REFERENCE);
        match (self, scope) {
            (Self::Title, _) => vec![title],
            (Self::Organization, _) => vec![organization],
            (Self::Reference, _) => vec![reference],
            (Self::Anything, Scope::Everything) => {
                vec![(fields.words, weight::WORDS), title, organization, reference]
            }
            (Self::Anything, Scope::Stub) => vec![title, organization, reference],
        }
    }
}

/// A word and its other forms. What it must be found in is looked through first; the rest only adds to the weight of what was found.
fn word_query(word: &str, fields: &Fields, scope: Scope) -> Box<dyn Query> {
    let stem = stem(word);
    let title = term(fields.title, word, weight::TITLE);
    let title_stem = term(fields.title_stems, &stem, weight::TITLE_STEMS);
    let organization = term(fields.organization, word, weight::ORGANIZATION);
    let reference = term(fields.reference, word, weight::REFERENCE);
    match scope {
        Scope::Stub => any([title, title_stem, organization, reference]),
        Scope::Everything => {
            let anywhere =
                any([term(fields.words, word, weight::WORDS), term(fields.stems, &stem, weight::STEMS)]);
            let heavier = [title, title_stem, organization, reference].map(|query| (Occur::Should, query));
            Box::new(BooleanQuery::new([(Occur::Must, anywhere)].into_iter().chain(heavier).collect()))
        }
    }
}

fn name_query(spelling: &Spelling, within: Within, fields: &Fields, scope: Scope) -> Box<dyn Query> {
    let match_type = if spelling.grows { MatchType::StartsWith } else { MatchType::Exact };
    let Some(pattern) = Pattern::new(&spelling.words, match_type) else { return Box::new(EmptyQuery) };
    // `words` holds the others.
    let everywhere = within == Within::Anything && scope == Scope::Everything;
    let looked_in = within.fields(fields, scope).into_iter().take(if everywhere { 1 } else { usize::MAX });
    any(looked_in.map(|(field, _)| Box::new(PatternQuery::new(field, pattern.clone())) as Box<dyn Query>))
}

/// What makes a tender better that holds all the words: they stand near each other in its title, or side by side in its reference.
pub(super) fn near(words: &[String], context: &Context<'_>) -> Vec<Box<dyn Query>> {
    /// Where even the rarest word stands in more titles, looking at positions would cost more than it tells.
    const FREQUENT: u64 = 20_000;
    let fields = context.fields;
    let count = |word: &String| context.searcher.doc_freq(&Term::from_field_text(fields.title, word));
    let rarest = words.iter().filter_map(|word| count(word).ok()).min();
    if words.len() < 2 || rarest.is_none_or(|count| count > FREQUENT) {
        return Vec::new();
    }
    let terms = |field: Field| words.iter().map(move |word| Term::from_field_text(field, word)).enumerate();
    let slop = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let near = |field: Field, weight: Score| {
        boosted(Box::new(PhraseQuery::new_with_offset_and_slop(terms(field).collect(), slop)), weight)
    };
    let mut ways = vec![
        near(fields.title, weight::NEAR_IN_TITLE),
        near(fields.organization, weight::NEAR_IN_ORGANIZATION),
    ];
    if words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        let reference = PhraseQuery::new_with_offset(terms(fields.reference).collect());
        ways.push(boosted(Box::new(reference), weight::NEAR_IN_REFERENCE));
    }
    ways
}

/// Words side by side in a field.
fn side_by_side(field: Field, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => term(field, word, 1.0),
        words => {
            Box::new(PhraseQuery::new(words.iter().map(|word| Term::from_field_text(field, word)).collect()))
        }
    }
}

fn term(field: Field, word: &str, weight: Score) -> Box<dyn Query> {
    boosted(
        Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs)),
        weight,
    )
}

fn boosted(query: Box<dyn Query>, weight: Score) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

fn any(queries: impl IntoIterator<Item = Box<dyn Query>>) -> Box<dyn Query> {
    Box::new(BooleanQuery::union(queries.into_iter().collect()))
}

/// The English stem of a word; other scripts' words are their own.
pub(crate) fn stem(word: &str) -> String {
    let mut analyzer = stems();
    let mut stream = analyzer.token_stream(word);
    if stream.advance() { stream.token().text.clone() } else { word.to_owned() }
}
