//! How much the tenders that were found weigh, read only as far as one can still be among the best: of most, a glance at the rarest of
//! what would speak for them is enough.

use crate::query::ScoringClause;
use tantivy::{
    DocId, Score, SegmentReader, TERMINATED,
    query::{Bm25StatisticsProvider, EnableScoring, Scorer, Weight},
};

/// What sums differ by that are made in another order.
const ROUNDING: Score = 1.0 + 1e-5;

/// What makes a tender better, for all segments.
pub(super) struct Ranker {
    /// With the most that each can add, the most first: those that few tenders have.
    merits: Vec<(Box<dyn Weight>, Score)>,
}

impl Ranker {
    pub(super) fn new(
        merits: Vec<ScoringClause>,
        scoring: EnableScoring<'_>,
        statistics: &dyn Bm25StatisticsProvider,
    ) -> tantivy::Result<Self> {
        let weighed = merits.into_iter().map(|merit| merit.weigh(scoring, statistics));
        let mut merits: Vec<_> = weighed.collect::<tantivy::Result<_>>()?;
        merits.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok(Self { merits })
    }

    /// For the tenders of one segment.
    pub(super) fn of_segment(&self, reader: &SegmentReader) -> tantivy::Result<SegmentRanker> {
        let mut here = Vec::with_capacity(self.merits.len());
        for (weight, most) in &self.merits {
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
        Ok(SegmentRanker { merits: here })
    }
}

/// What makes a tender of one segment better.
pub(super) struct SegmentRanker {
    /// With the most that it and those behind it can add.
    merits: Vec<(Box<dyn Scorer>, Score)>,
}

impl SegmentRanker {
    /// What a tender weighs, unless that is less than `least`. Tenders must be asked for in the order of their numbers.
    pub(super) fn weigh(&mut self, document: DocId, least: Score) -> Option<Score> {
        let mut score = 0.0;
        for (scorer, rest) in &mut self.merits {
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
        document::to_document,
        query::{QueryPlan, Scope, SearchContext, UserQuery},
        schema::{schema, tokenizers},
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

        /// A tender that is given up would have weighed less; every other weighs what it weighs when all of it is read.
        #[test]
        fn only_what_weighs_less_is_given_up(
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
            let context = SearchContext { searcher: &searcher, fields: &fields, now, rates: &Rates::default() };
            let asked = QueryPlan::new(&UserQuery::read(&typed), None, &context)?;
            let merits = asked.merits(&context, Scope::Everything);
            let ranker = Ranker::new(merits, EnableScoring::enabled_from_searcher(&searcher), &searcher)?;
            for reader in searcher.segment_readers() {
                let weigh = |least: &dyn Fn(usize) -> Score| -> tantivy::Result<Vec<Option<Score>>> {
                    let mut ranker = ranker.of_segment(reader)?;
                    Ok((0..reader.max_doc()).map(|document| ranker.weigh(document, least(document as usize))).collect())
                };
                let all = weigh(&|_| 0.0)?;
                let best = all.iter().flatten().copied().fold(0.0, Score::max);
                let least = best * share;
                for (found, score) in weigh(&|_| least)?.into_iter().zip(&all) {
                    prop_assert!(found == *score || (found.is_none() && *score < Some(least)));
                }
                prop_assert!(all.iter().all(Option::is_some));
            }
        }
    }
}
