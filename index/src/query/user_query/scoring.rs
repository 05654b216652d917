//! [`ScoringClause`]: what makes one of the tenders that were found better than another: where it holds what was looked for, and how rare
//! that is. The weights stand here.

use super::{
    Scope, SearchContext, SearchedText,
    node::{QueryNode, name_queries, references_query, stem},
};
use tantivy::{
    Score, Term,
    query::{
        Bm25StatisticsProvider, Bm25Weight, BoostQuery, EnableScoring, PhraseQuery, Query, TermQuery, Weight,
    },
    schema::{Field, IndexRecordOption},
};

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

/// Something that adds to what a tender weighs.
pub(crate) struct ScoringClause {
    /// Which tenders have it.
    query: Box<dyn Query>,
    /// How rare these are decides what it weighs, and how often they stand in how long a text; none: it always weighs the same.
    terms: Vec<Term>,
    weight: Score,
}

impl ScoringClause {
    /// What scores it, and the most that it can add.
    ///
    /// # Errors
    /// When the index can't be read.
    pub(crate) fn weigh(
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

    /// Words in their order, so many apart at most.
    fn words(field: Field, words: &[String], slop: u32, weight: Score) -> Self {
        if let [word] = words {
            return Self::word(field, word, weight);
        }
        let terms: Vec<Term> = words.iter().map(|word| Term::from_field_text(field, word)).collect();
        let placed = terms.iter().cloned().enumerate().collect();
        let query = Box::new(PhraseQuery::new_with_offset_and_slop(placed, slop));
        Self { query, terms, weight }
    }

    const fn always(query: Box<dyn Query>, weight: Score) -> Self {
        Self { query, terms: Vec::new(), weight }
    }
}

impl QueryNode {
    /// Adds what makes a tender better of which this holds.
    pub(super) fn add_merits(
        &self,
        context: &SearchContext<'_>,
        scope: Scope,
        merits: &mut Vec<ScoringClause>,
    ) {
        let fields = context.fields;
        match self {
            Self::All(nodes) | Self::Any(nodes) => {
                nodes.iter().for_each(|node| node.add_merits(context, scope, merits));
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
                merits
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
                merits.extend(
                    each.into_iter().map(|(field, weight)| ScoringClause::words(field, words, 0, weight)),
                );
            }
            Self::Name(spelling, within, typed) => {
                let queries = name_queries(spelling, *within, fields, scope);
                let weight = weight::NAME * *typed as Score;
                merits.extend(queries.into_iter().map(|query| ScoringClause::always(query, weight)));
            }
            Self::References(references) => {
                merits.push(ScoringClause::always(
                    references_query(references, fields),
                    weight::SOLID_REFERENCE,
                ));
            }
            Self::Fact(_) => {}
        }
    }
}

/// What makes a tender better that holds all the words: they stand near each other in its title, or side by side in its reference.
pub(super) fn near(words: &[String], context: &SearchContext<'_>) -> Vec<ScoringClause> {
    /// Where even the rarest word stands in more titles, looking at positions would cost more than it tells.
    const FREQUENT: u64 = 20_000;
    let fields = context.fields;
    let count = |word: &String| context.searcher.doc_freq(&Term::from_field_text(fields.title, word));
    let rarest = words.iter().filter_map(|word| count(word).ok()).min();
    if words.len() < 2 || rarest.is_none_or(|count| count > FREQUENT) {
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
