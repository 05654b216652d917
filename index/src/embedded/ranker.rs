//! [`Ranker`]: scores tenders, and stops scoring a tender as soon as it cannot reach the top any
//! more. For most tenders, it is enough to read the clauses with the highest maximum scores (as in
//! MaxScore, Turtle and Flood 1995).

use super::{search_context::SearchContext, text_query::clause_weight};
use crate::query::ScoringClause;
use tantivy::{
    DocId, Score, SegmentReader, TERMINATED,
    query::{Bm25StatisticsProvider, EnableScoring, Scorer, Weight},
};

/// Allows for rounding errors when the same scores are added in a different order.
const ROUNDING: Score = 1.0 + 1e-5;

/// The scoring clauses for all segments.
pub(super) struct Ranker {
    /// The clauses with their maximum scores, the highest first.
    scoring_clauses: Vec<(Box<dyn Weight>, Score)>,
}

impl Ranker {
    pub(super) fn new(
        scoring_clauses: Vec<ScoringClause>,
        context: &SearchContext<'_>,
        scoring: EnableScoring<'_>,
        statistics: &dyn Bm25StatisticsProvider,
    ) -> tantivy::Result<Self> {
        let weighed =
            scoring_clauses.into_iter().map(|clause| clause_weight(clause, context, scoring, statistics));
        let mut scoring_clauses: Vec<_> = weighed.collect::<tantivy::Result<_>>()?;
        scoring_clauses.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok(Self { scoring_clauses })
    }

    /// The ranker of one segment.
    pub(super) fn of_segment(&self, reader: &SegmentReader) -> tantivy::Result<SegmentRanker> {
        let mut here = Vec::with_capacity(self.scoring_clauses.len());
        for (weight, most) in &self.scoring_clauses {
            let scorer = weight.scorer(reader, 1.0)?;
            if scorer.doc() != TERMINATED {
                here.push((scorer, *most));
            }
        }
        let mut rest = 0.0;
        for (_, most) in here.iter_mut().rev() {
            rest += *most;
            *most = rest * ROUNDING;
        }
        Ok(SegmentRanker { scoring_clauses: here })
    }
}

/// The scoring clauses of one segment.
pub(super) struct SegmentRanker {
    /// The scorers, each with the maximum score that it and the following scorers can add together.
    scoring_clauses: Vec<(Box<dyn Scorer>, Score)>,
}

impl SegmentRanker {
    /// The score of a tender. `None` means that the score is below `least`; a score below `least`
    /// may also be returned. Tenders must be passed in ascending order.
    pub(super) fn score(&mut self, document: DocId, least: Score) -> Option<Score> {
        let mut score = 0.0;
        for (scorer, rest) in &mut self.scoring_clauses {
            if score + *rest < least {
                return None;
            }
            let mut at = scorer.doc();
            if at < document {
                at = scorer.seek(document);
            }
            if at == document {
                score += scorer.score();
            }
        }
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::tokenizers,
        embedded::{document::to_document, schema::schema},
        query::{QueryPlan, Scope, UserQuery},
    };
    use proptest::prelude::*;
    use tantivy::Index;
    use tender_model::{
        tender::{Organization, Tender},
        vocabulary::Rates,
    };

    const WORDS: [&str; 6] = ["road", "roads", "bridge", "school", "galle", "tg/21/7"];

    fn words(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(&WORDS[..]), 1..=most).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// A tender that is skipped would have scored below `least`. All other tenders get their
        /// full score.
        #[test]
        fn only_lower_scores_are_skipped(
            tenders in prop::collection::vec((words(5), words(9), words(2)), 1..30),
            typed in words(3),
            share in 0.0f32..1.2,
        ) {
            let (schema, fields) = schema();
            let index = Index::builder().schema(schema).tokenizers(tokenizers()).create_in_ram()?;
            let mut writer = index.writer_with_num_threads(1, 15_000_000)?;
            for (title, description, name) in tenders {
                let organization = Organization { name, ..Organization::default() };
                let tender = Tender { title, description, organization, ..Tender::default() };
                writer.add_document(to_document(&tender, None, &fields)?)?;
            }
            #[expect(clippy::disallowed_methods, reason = "the index lies in memory and has no log position")]
            writer.commit()?;
            let searcher = index.reader()?.searcher();
            let now = "2026-11-20T09:00:00+05:30".parse()?;
            let context = SearchContext { searcher: &searcher, fields: &fields, now, rates: &Rates::default(), readable: None };
            let plan = QueryPlan::new(&UserQuery::read(&typed), None, &context)?;
            let scoring_clauses = plan.scoring_clauses(&context, Scope::Everything)?;
            let ranker = Ranker::new(scoring_clauses, &context, EnableScoring::enabled_from_searcher(&searcher), &searcher)?;
            for reader in searcher.segment_readers() {
                let scores = |least: &dyn Fn(usize) -> Score| -> tantivy::Result<Vec<Option<Score>>> {
                    let mut ranker = ranker.of_segment(reader)?;
                    Ok((0..reader.max_doc()).map(|document| ranker.score(document, least(document as usize))).collect())
                };
                let all = scores(&|_| 0.0)?;
                let best = all.iter().flatten().copied().fold(0.0, Score::max);
                let least = best * share;
                for (found, score) in scores(&|_| least)?.into_iter().zip(&all) {
                    prop_assert!(found == *score || (found.is_none() && *score < Some(least)));
                }
                prop_assert!(all.iter().all(Option::is_some));
            }
        }
    }
}
