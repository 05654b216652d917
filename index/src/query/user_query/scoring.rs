//! [`ScoringClause`]: a query that raises the score of the tenders it matches. The weights in this
//! file multiply the BM25 score of a field. For names and references, the weight itself is the
//! score.

use super::{
    context::SearchContext,
    node::{QueryNode, Scope, name_queries, references_query},
    syntax::SearchedText,
};
use crate::analysis::stem;
use tantivy::{
    Score, Term,
    query::{
        Bm25StatisticsProvider, Bm25Weight, BoostQuery, EnableScoring, PhraseQuery, Query, TermQuery, Weight,
    },
    schema::{Field, IndexRecordOption},
};

/// The weight of a match in each field.
mod weight {
    use tantivy::Score;

    /// Any text of the tender, including the title.
    pub(super) const WORDS: Score = 1.0;
    /// Any text of the tender, including other forms of the word.
    pub(super) const STEMS: Score = 0.6;
    pub(super) const TITLE: Score = 2.5;
    pub(super) const TITLE_STEMS: Score = 1.5;
    pub(super) const ORGANIZATION: Score = 0.5;
    pub(super) const REFERENCE: Score = 2.0;
    /// A reference that equals or starts with the typed text.
    pub(super) const SOLID_REFERENCE: Score = 12.0;
    /// A name, per typed word. It is constant, because document frequencies are not comparable
    /// across scripts.
    pub(super) const NAME: Score = 6.0;
    /// All words near each other in the title.
    pub(super) const NEAR_IN_TITLE: Score = 1.5;
    /// All words near each other in the organisation.
    pub(super) const NEAR_IN_ORGANIZATION: Score = 0.6;
    /// All words next to each other in the reference.
    pub(super) const NEAR_IN_REFERENCE: Score = 4.0;
}

/// A clause that adds to the score of the tenders it matches.
pub(crate) struct ScoringClause {
    /// Finds the tenders whose score is raised.
    query: Box<dyn Query>,
    /// The terms from which BM25 computes the score. If empty, the score is constant.
    terms: Vec<Term>,
    weight: Score,
}

impl ScoringClause {
    /// Tantivy's form of the clause, and the highest score that the clause can add.
    pub(crate) fn into_weight(
        self,
        scoring: EnableScoring<'_>,
        statistics: &dyn Bm25StatisticsProvider,
    ) -> tantivy::Result<(Box<dyn Weight>, Score)> {
        let most = match self.terms.as_slice() {
            [] => self.weight,
            terms => Bm25Weight::for_terms(statistics, terms)?.boost_by(self.weight).max_score(),
        };
        Ok((BoostQuery::new(self.query, self.weight).weight(scoring)?, most))
    }

    fn word(field: Field, word: &str, weight: Score) -> Self {
        let term = Term::from_field_text(field, word);
        let query = TermQuery::new(term.clone(), IndexRecordOption::WithFreqs);
        Self { query: Box::new(query), terms: vec![term], weight }
    }

    /// A clause for words in order. Their positions may deviate from a phrase by `slop` in total.
    fn words(field: Field, words: &[String], slop: u32, weight: Score) -> Self {
        if let [word] = words {
            return Self::word(field, word, weight);
        }
        let terms: Vec<Term> = words.iter().map(|word| Term::from_field_text(field, word)).collect();
        let placed = terms.iter().cloned().enumerate().collect();
        let query = Box::new(PhraseQuery::new_with_offset_and_slop(placed, slop));
        Self { query, terms, weight }
    }

    const fn constant(query: Box<dyn Query>, weight: Score) -> Self {
        Self { query, terms: Vec::new(), weight }
    }
}

impl QueryNode {
    /// Adds the scoring clauses of a node.
    pub(super) fn add_scoring_clauses(
        &self,
        context: &SearchContext<'_>,
        scope: Scope,
        scoring_clauses: &mut Vec<ScoringClause>,
    ) {
        let fields = context.fields;
        match self {
            Self::All(nodes) | Self::Any(nodes) => {
                nodes.iter().for_each(|node| node.add_scoring_clauses(context, scope, scoring_clauses));
            }
            Self::Word(word, weight) => {
                let stem = stem(word);
                let everything = [(fields.words, word, weight::WORDS), (fields.stems, &stem, weight::STEMS)];
                let stub = [
                    (fields.title, word, weight::TITLE),
                    (fields.title_stems, &stem, weight::TITLE_STEMS),
                    (fields.organization, word, weight::ORGANIZATION),
                    (fields.reference, word, weight::REFERENCE),
                ];
                let everything = everything.into_iter().filter(|_| scope == Scope::Everything);
                let each = stub.into_iter().chain(everything);
                scoring_clauses
                    .extend(each.map(|(field, word, each)| ScoringClause::word(field, word, each * weight)));
            }
            Self::Phrase(words, within) => {
                let title = (fields.title, weight::TITLE);
                let organization = (fields.organization, weight::ORGANIZATION);
                let reference = (fields.reference, weight::REFERENCE);
                let each = match within {
                    SearchedText::Title => vec![title],
                    SearchedText::Organization => vec![organization],
                    SearchedText::Reference => vec![reference],
                    SearchedText::Anything if scope == Scope::Stub => vec![title, organization, reference],
                    SearchedText::Anything => {
                        vec![title, organization, reference, (fields.words, weight::WORDS)]
                    }
                };
                scoring_clauses.extend(
                    each.into_iter().map(|(field, weight)| ScoringClause::words(field, words, 0, weight)),
                );
            }
            Self::Name(spelling, within, typed) => {
                let queries = name_queries(spelling, *within, fields, scope);
                let weight = weight::NAME * *typed as Score;
                scoring_clauses
                    .extend(queries.into_iter().map(|query| ScoringClause::constant(query, weight)));
            }
            Self::References(references) => {
                scoring_clauses.push(ScoringClause::constant(
                    references_query(references, fields),
                    weight::SOLID_REFERENCE,
                ));
            }
            Self::Field(_) => {}
        }
    }
}

/// Clauses for tenders with all words near each other in the title or organisation, or adjacent in
/// the reference.
pub(super) fn proximity_clauses(words: &[String], context: &SearchContext<'_>) -> Vec<ScoringClause> {
    /// If even the rarest word is in more titles than this, reading positions costs more than it
    /// gains.
    const MAX_TITLE_FREQUENCY: u64 = 20_000;
    let fields = context.fields;
    let count = |word: &String| context.searcher.doc_freq(&Term::from_field_text(fields.title, word));
    let rarest = words.iter().filter_map(|word| count(word).ok()).min();
    if words.len() < 2 || rarest.is_none_or(|count| count > MAX_TITLE_FREQUENCY) {
        return Vec::new();
    }
    let slop = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let mut ways = vec![
        ScoringClause::words(fields.title, words, slop, weight::NEAR_IN_TITLE),
        ScoringClause::words(fields.organization, words, slop, weight::NEAR_IN_ORGANIZATION),
    ];
    if words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        ways.push(ScoringClause::words(fields.reference, words, 0, weight::NEAR_IN_REFERENCE));
    }
    ways
}
