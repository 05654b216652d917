//! Measures ranking quality with the judged queries of `fixtures/queries`.

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

/// The number of results considered.
pub const RESULT_DEPTH: usize = 10;

/// A query and its judged results.
#[derive(Debug, Clone, Deserialize)]
pub struct JudgedQuery {
    /// The text as typed.
    pub query: String,
    /// The kind of search.
    pub kind: String,
    /// The half of the queries to which this query belongs.
    pub half: Half,
    /// Grades by tender id. 3: the tender that is meant; 2: close; 1: useful. Unlisted tenders have
    /// grade 0.
    pub judgements: BTreeMap<String, u8>,
}

/// The half of the queries, by its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// For tuning weights.
    Tune,
    /// For reporting.
    Report,
}

/// Scores of one query or their means, from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scores {
    /// Normalised discounted cumulative gain of the first ten results (Järvelin and Kekäläinen
    /// 2002, with gain 2^grade - 1).
    pub ndcg_at_10: f64,
    /// 1 if the first result has the best grade of the query, otherwise 0.
    pub success_at_1: f64,
}

/// A ranking engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranker {
    /// The portal's own search.
    Ours,
    /// Tantivy's default BM25: query parser and tokenizer over title and body.
    Bm25,
    /// Postgres's English full text search, ordered by `ts_rank_cd` with the highest weight on the
    /// title.
    FullText,
    /// The portal's search on a private OpenSearch node.
    #[value(name = "opensearch")]
    #[serde(rename = "opensearch")]
    OpenSearch,
}

impl Ranker {
    /// Returns the ids of the best results for each query, best first.
    pub fn rank(
        self,
        collection: &Collection,
        queries: &[JudgedQuery],
        database: Option<&str>,
    ) -> Result<Vec<Vec<String>>> {
        let texts: Vec<&str> = queries.iter().map(|judged| judged.query.as_str()).collect();
        match self {
            Self::Ours => ours::rank(collection, &texts),
            Self::OpenSearch => ours::rank_on_cluster(collection, &texts),
            Self::Bm25 => bm25::rank(collection, &texts),
            Self::FullText => {
                full_text::rank(collection, &texts, database.context("full-text needs --database")?)
            }
        }
    }
}

/// Reads judged queries, one JSON object per line.
pub fn read_queries(path: &Path) -> Result<Vec<JudgedQuery>> {
    let text = fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
    let line = |(index, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 1))
    };
    text.lines().enumerate().map(line).collect()
}

/// Scores a ranking.
#[must_use]
pub fn score(ranked: &[String], judgements: &BTreeMap<String, u8>) -> Scores {
    let gain = |grade: u8| f64::from(2u32.pow(grade.into()) - 1);
    let discounted = |grades: &[u8]| -> f64 {
        let each = grades.iter().take(RESULT_DEPTH).enumerate();
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

/// Returns the mean of scores, or 0 if there are none.
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
    use regex::{Regex, RegexBuilder};
    use serde_json::Value;
    use tender_model::tender::Tender;

    fn score_ids(ranked: &[&str], judgements: &[(&str, u8)]) -> Scores {
        let ranked: Vec<String> = ranked.iter().map(|id| (*id).to_owned()).collect();
        score(&ranked, &judgements.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect())
    }

    #[test]
    fn best_order_scores_one_and_no_results_zero() {
        let judgements = [("a", 3), ("b", 1), ("c", 2)];
        let best = score_ids(&["a", "c", "b"], &judgements);
        assert!((best.ndcg_at_10 - 1.0).abs() < 1e-12);
        assert_eq!(best.success_at_1, 1.0);
        assert_eq!(score_ids(&[], &judgements), Scores::default());
        assert_eq!(score_ids(&["x", "y"], &judgements), Scores::default());
    }

    #[test]
    fn worse_order_scores_less_and_duplicates_score_nothing() {
        let judgements = [("a", 3), ("b", 1)];
        // (1 / log2(2) + 7 / log2(3)) / (7 / log2(2) + 1 / log2(3))
        let swapped = score_ids(&["b", "a"], &judgements);
        assert!((swapped.ndcg_at_10 - (1.0 + 7.0 / 3f64.log2()) / (7.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
        assert_eq!(swapped.success_at_1, 0.0);
        assert_eq!(score_ids(&["a", "a", "a"], &judgements), score_ids(&["a"], &judgements));
    }

    fn pattern(text: &str) -> Regex {
        RegexBuilder::new(text).case_insensitive(true).build().unwrap()
    }

    /// The ids of the judgements are file names, and a new reading of a page may number its notices
    /// differently.
    #[test]
    fn judgements_of_fixtures_follow_their_rules() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
        let notices = collection::read_fixtures(&fixtures.join("notices")).unwrap();
        let place_rule = pattern(r"^/(.+?)/ in the title and /(.+?)/ anywhere: 3");
        let organisation_rule = pattern(r"^organisation /(.+?)/(?: and title /(.+?)/)?: 3");
        let mut checked = 0;
        for line in fs::read_to_string(fixtures.join("queries/queries.jsonl")).unwrap().lines() {
            let query: Value = serde_json::from_str(line).unwrap();
            let rule = query["rule"].as_str().unwrap();
            let follows_rule: Box<dyn Fn(&Tender) -> bool> = if let Some(found) = place_rule.captures(rule) {
                let (title, anywhere) = (pattern(&found[1]), pattern(&found[2]));
                Box::new(move |notice| {
                    let text = format!("{}\n{}", notice.title, collection::body_text(notice));
                    title.is_match(&notice.title) && anywhere.is_match(&text)
                })
            } else if let Some(found) = organisation_rule.captures(rule) {
                let organisation = pattern(&found[1]);
                let title = found.get(2).map(|title| pattern(title.as_str()));
                Box::new(move |notice| {
                    organisation.is_match(&notice.organization.name)
                        && title.as_ref().is_none_or(|title| title.is_match(&notice.title))
                })
            } else {
                continue;
            };
            for (id, notice) in &notices {
                let has_best_grade = query["judgements"][id] == 3;
                assert_eq!(
                    follows_rule(notice),
                    has_best_grade,
                    "{id} for {}: {}",
                    query["query"],
                    notice.title
                );
                checked += usize::from(has_best_grade);
            }
        }
        assert!(checked > 10, "only {checked} judgements are checked");
    }
}
