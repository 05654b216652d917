//! How good the order is in which tenders are found: the judged queries of `fixtures/queries`, and the scores that a ranking
//! gets for them. Who ranks is in `relevance/`.

mod bm25;
pub mod collection;
mod full_text;
mod ours;

use anyhow::{Context, Result};
use clap::ValueEnum;
use collection::Collection;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// How many of what was found are looked at.
pub const DEPTH: usize = 10;

/// A query and what a person who knows all tenders would want it to find.
#[derive(Debug, Clone, Deserialize)]
pub struct Judged {
    /// As typed.
    pub query: String,
    /// What kind of search it is.
    pub kind: String,
    /// Weights may be chosen by `tune`, and are reported on `report`.
    pub half: Half,
    /// 3: what was meant; 2: nearly; 1: of some use. What isn't named is 0.
    pub judgements: BTreeMap<String, u8>,
}

/// What a query is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// To choose weights by.
    Tune,
    /// To report on.
    Report,
}

/// Scores, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scores {
    /// Normalised discounted cumulative gain of the first ten (Järvelin and Kekäläinen 2002, with gain 2^grade - 1).
    pub ndcg_at_10: f64,
    /// Whether the first one is of the best grade that any tender has for the query.
    pub success_at_1: f64,
}

/// Who ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranker {
    /// The portal's own search.
    Ours,
    /// Tantivy's BM25 as it comes: its query parser and tokenizer over title and body.
    Bm25,
    /// Postgres's English full text, ordered by `ts_rank_cd` with the title weighing most.
    FullText,
}

impl Ranker {
    /// The ids of the best for each query, best first.
    ///
    /// # Errors
    /// When the engine fails, or has no database to work in.
    pub fn rank(
        self,
        collection: &Collection,
        queries: &[Judged],
        database: Option<&str>,
    ) -> Result<Vec<Vec<String>>> {
        let texts: Vec<&str> = queries.iter().map(|judged| judged.query.as_str()).collect();
        match self {
            Self::Ours => ours::rank(collection, &texts),
            Self::Bm25 => bm25::rank(collection, &texts),
            Self::FullText => {
                full_text::rank(collection, &texts, database.context("full-text needs --database")?)
            }
        }
    }
}

/// The judged queries of a file, one JSON object a line.
///
/// # Errors
/// When the file can't be read, or a line is no judged query.
pub fn read_queries(path: &Path) -> Result<Vec<Judged>> {
    let text = fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
    let line = |(index, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 1))
    };
    text.lines().enumerate().map(line).collect()
}

/// The scores of a ranking.
#[must_use]
pub fn score(ranked: &[String], judgements: &BTreeMap<String, u8>) -> Scores {
    let gain = |grade: u8| f64::from(2u32.pow(grade.into()) - 1);
    let discounted = |grades: &[u8]| -> f64 {
        let each = grades.iter().take(DEPTH).enumerate();
        each.map(|(index, grade)| gain(*grade) / (index as f64 + 2.0).log2())
            .fold(0.0, |sum, gain| sum + gain)
    };
    let mut seen = BTreeSet::new();
    let first_time = ranked.iter().filter(|id| seen.insert(id.as_str()));
    let found: Vec<u8> = first_time.map(|id| judgements.get(id).copied().unwrap_or(0)).collect();
    let mut ideal: Vec<u8> = judgements.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = ideal.first().copied().unwrap_or(0);
    let possible = discounted(&ideal);
    Scores {
        ndcg_at_10: if possible > 0.0 { discounted(&found) / possible } else { 0.0 },
        success_at_1: f64::from(u8::from(best > 0 && found.first() == Some(&best))),
    }
}

/// The mean of scores; 0 of none.
#[must_use]
pub fn mean(scores: &[Scores]) -> Scores {
    let count = scores.len().max(1) as f64;
    Scores {
        ndcg_at_10: scores.iter().map(|score| score.ndcg_at_10).sum::<f64>() / count,
        success_at_1: scores.iter().map(|score| score.success_at_1).sum::<f64>() / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(ranked: &[&str], judgements: &[(&str, u8)]) -> Scores {
        let ranked: Vec<String> = ranked.iter().map(|id| (*id).to_owned()).collect();
        score(&ranked, &judgements.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect())
    }

    #[test]
    fn the_best_order_scores_one_and_nothing_found_none() {
        let judgements = [("a", 3), ("b", 1), ("c", 2)];
        let best = scored(&["a", "c", "b"], &judgements);
        assert!((best.ndcg_at_10 - 1.0).abs() < 1e-12);
        assert_eq!(best.success_at_1, 1.0);
        assert_eq!(scored(&[], &judgements), Scores::default());
        assert_eq!(scored(&["x", "y"], &judgements), Scores::default());
    }

    #[test]
    fn a_worse_order_scores_less_and_a_repetition_nothing() {
        let judgements = [("a", 3), ("b", 1)];
        // (1 / log2(2) + 7 / log2(3)) / (7 / log2(2) + 1 / log2(3))
        let turned = scored(&["b", "a"], &judgements);
        assert!((turned.ndcg_at_10 - (1.0 + 7.0 / 3f64.log2()) / (7.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
        assert_eq!(turned.success_at_1, 0.0);
        assert_eq!(scored(&["a", "a", "a"], &judgements), scored(&["a"], &judgements));
    }
}
