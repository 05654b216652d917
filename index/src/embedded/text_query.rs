//! Translates a [`TextQuery`] and [`ScoringClause`]s into Tantivy queries.

use super::{
    field_query::field_query, pattern_query::PatternQuery, schema::Fields, search_context::SearchContext,
};
use crate::{
    analysis::stem,
    query::{Pattern, QueryNode, Scope, ScoredMatch, ScoringClause, SearchField, TextQuery, name_pattern},
};
use tantivy::{
    Score, Term,
    query::{
        AllQuery, Bm25StatisticsProvider, Bm25Weight, BooleanQuery, BoostQuery, EmptyQuery, EnableScoring,
        Occur, PhraseQuery, Query, TermQuery, TermSetQuery, Weight,
    },
    schema::IndexRecordOption,
};

/// The query to run. If only exclusions were typed, it finds every tender that is not excluded.
pub(super) fn to_query(query: &TextQuery, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
    let words = required_query(query, context, scope);
    if query.references.is_empty() {
        return words;
    }
    Box::new(BooleanQuery::union(vec![words, references_query(&query.references, context.fields)]))
}

/// The query without the references.
fn required_query(query: &TextQuery, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
    let to_query = |node: &QueryNode| node_query(node, context, scope);
    let mut clauses: Vec<(Occur, Box<dyn Query>)> =
        query.required.iter().map(|node| (Occur::Must, to_query(node))).collect();
    if query.at_least < query.words.len() {
        let words = query.words.iter().map(to_query).collect();
        let most = BooleanQuery::union_with_minimum_required_clauses(words, query.at_least);
        clauses.push((Occur::Must, Box::new(most)));
    } else {
        clauses.extend(query.words.iter().map(|node| (Occur::Must, to_query(node))));
    }
    if clauses.is_empty() {
        clauses.push((Occur::Must, Box::new(AllQuery)));
    }
    // Exclusion uses the same matching: `-bridge` excludes "bridges" too.
    clauses.extend(query.excluded.iter().map(|node| (Occur::MustNot, to_query(node))));
    Box::new(BooleanQuery::new(clauses))
}

/// The query for tenders that match a node.
fn node_query(node: &QueryNode, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
    match node {
        QueryNode::All(nodes) => {
            let queries = nodes.iter().map(|node| (Occur::Must, node_query(node, context, scope)));
            Box::new(BooleanQuery::new(queries.collect()))
        }
        QueryNode::Any(nodes) => any_of(nodes.iter().map(|node| node_query(node, context, scope))),
        QueryNode::Word(word, _) => match scope {
            Scope::Everything => word_query(context.term(SearchField::Stems, &stem(word))),
            Scope::Stub => any_of([
                word_query(context.term(SearchField::TitleStems, &stem(word))),
                word_query(context.term(SearchField::Reference, word)),
            ]),
        },
        QueryNode::Phrase(words, within) => {
            any_of(within.fields(scope).iter().map(|field| phrase_query(context, *field, words)))
        }
        QueryNode::Name(spelling, within, _) => {
            let pattern = name_pattern(spelling);
            let fields = within.fields(scope).iter();
            any_of(fields.filter_map(|field| Some(pattern_query(context.fields, *field, pattern.as_ref()?))))
        }
        QueryNode::References(references) => references_query(references, context.fields),
        QueryNode::Field(condition) => field_query(condition, context),
    }
}

/// Tantivy's form of a scoring clause, and the highest score that the clause can add.
pub(super) fn clause_weight(
    clause: ScoringClause,
    context: &SearchContext<'_>,
    scoring: EnableScoring<'_>,
    statistics: &dyn Bm25StatisticsProvider,
) -> tantivy::Result<(Box<dyn Weight>, Score)> {
    let ScoringClause { matches, weight } = clause;
    let (query, most): (Box<dyn Query>, Score) = match matches {
        ScoredMatch::Words { field, words, slop } => {
            let terms: Vec<Term> = words.iter().map(|word| context.term(field, word)).collect();
            let most = Bm25Weight::for_terms(statistics, &terms)?.boost_by(weight).max_score();
            (scored_words_query(terms, slop), most)
        }
        ScoredMatch::Name { field, pattern } => (pattern_query(context.fields, field, &pattern), weight),
        ScoredMatch::References(references) => (references_query(&references, context.fields), weight),
    };
    Ok((BoostQuery::new(query, weight).weight(scoring)?, most))
}

fn scored_words_query(mut terms: Vec<Term>, slop: u32) -> Box<dyn Query> {
    match (terms.pop(), terms.is_empty()) {
        (None, _) => Box::new(EmptyQuery),
        (Some(term), true) => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
        (Some(last), false) => {
            terms.push(last);
            let placed = terms.into_iter().enumerate().collect();
            Box::new(PhraseQuery::new_with_offset_and_slop(placed, slop))
        }
    }
}

fn pattern_query(fields: &Fields, field: SearchField, pattern: &Pattern) -> Box<dyn Query> {
    Box::new(PatternQuery::new(fields.of(field), pattern.clone()))
}

/// A query for any of these references.
fn references_query(references: &[String], fields: &Fields) -> Box<dyn Query> {
    let terms = references.iter().map(|text| Term::from_field_text(fields.solid_reference, text));
    Box::new(TermSetQuery::new(terms))
}

/// A query for adjacent words in a field.
fn phrase_query(context: &SearchContext<'_>, field: SearchField, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => word_query(context.term(field, word)),
        words => Box::new(PhraseQuery::new(words.iter().map(|word| context.term(field, word)).collect())),
    }
}

/// A query for a word in a field.
fn word_query(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
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
