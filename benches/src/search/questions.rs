//! Queries, which are read from a file or generated from the words of the notices.

use crate::workload::lines;
use anyhow::{Context, Result};
use index::{Sort, StatusCard, TenderFilter};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde::Deserialize;
use std::{collections::HashMap, path::Path};
use tender_model::{
    text::Words,
    vocabulary::{Category, District, Province, Sector},
};

/// A query.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Question {
    /// The kind of query. Times are reported by kind.
    pub class: String,
    /// The typed text.
    pub text: Option<String>,
    /// The accepted categories; all if empty.
    pub categories: Vec<Category>,
    /// The accepted sectors; all if empty.
    pub sectors: Vec<Sector>,
    /// The accepted provinces; all if empty.
    pub provinces: Vec<Province>,
    /// The accepted districts; all if empty.
    pub districts: Vec<District>,
    /// Whether only open tenders are wanted.
    pub live: bool,
    /// Whether the order is by publication even with a text.
    pub newest: bool,
}

impl Question {
    pub(super) fn filter(&self) -> TenderFilter {
        TenderFilter {
            categories: self.categories.clone(),
            sectors: self.sectors.clone(),
            provinces: self.provinces.clone(),
            districts: self.districts.clone(),
            statuses: if self.live { vec![StatusCard::Live] } else { Vec::new() },
            ..TenderFilter::default()
        }
    }

    pub(super) fn sort(&self) -> Sort {
        if self.newest { Sort::Newest } else { Sort::Best }
    }
}

/// Reads queries, one JSON object per line.
pub fn read(path: &Path) -> Result<Vec<Question>> {
    let read = |line: Result<(usize, String)>| {
        let (place, line) = line?;
        serde_json::from_str(&line).with_context(|| format!("{} line {}", path.display(), place + 1))
    };
    lines(path)?.map(read).collect()
}

/// Generates queries from the words of titles: `each` of every kind, and one empty query.
#[must_use]
pub fn generate(titles: &[String], each: usize, seed: u64) -> Vec<Question> {
    let mut generator = StdRng::seed_from_u64(seed);
    let split: Vec<Vec<String>> = titles
        .iter()
        .map(|title| Words::of(title).iter().map(str::to_owned).collect::<Vec<_>>())
        .filter(|words| words.len() > 3)
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in split.iter().flatten().filter(|word| word.len() > 3 && word.is_ascii()) {
        *counts.entry(word).or_default() += 1;
    }
    let mut by_count: Vec<(&str, usize)> = counts.iter().map(|(word, count)| (*word, *count)).collect();
    by_count.sort_unstable_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let common: Vec<&str> = by_count.iter().take(60).map(|(word, _)| *word).collect();
    let middling: Vec<&str> = by_count.iter().skip(300).take(700).map(|(word, _)| *word).collect();
    let rare: Vec<&str> =
        by_count.iter().filter(|(_, count)| (3..=6).contains(count)).map(|(word, _)| *word).collect();

    let mut questions = vec![Question { class: "empty".to_owned(), ..Question::default() }];
    for _ in 0..each {
        let mut word = |words: &[&str]| words.choose(&mut generator).copied().unwrap_or("road").to_owned();
        let (one, two, other, seldom, known) =
            (word(&common), word(&common), word(&middling), word(&rare), word(&middling));
        let title = split.choose(&mut generator).cloned().unwrap_or_default();
        let start = generator.random_range(0..title.len().saturating_sub(2).max(1));
        let phrase =
            title[start..(start + 2 + usize::from(generator.random_bool(0.5))).min(title.len())].join(" ");
        let long: Vec<&String> = title.iter().filter(|word| word.len() > 3).take(2).collect();
        let several = long.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
        let district = District::ALL.choose(&mut generator).copied();
        let category = Category::ALL.choose(&mut generator).copied();
        let sector = Sector::ALL.choose(&mut generator).copied();
        let question = |class: &str, text: Option<String>| Question {
            class: class.to_owned(),
            text,
            ..Question::default()
        };
        questions.extend([
            question("common word", Some(one.clone())),
            question("word", Some(other.clone())),
            question("rare word", Some(seldom)),
            question("two words", Some(several)),
            question("two common words", Some(format!("{one} {two}"))),
            question("phrase", Some(format!("\"{phrase}\""))),
            question("either", Some(format!("{other} OR {known}"))),
            question("but not", Some(format!("{one} -{two}"))),
            Question {
                categories: category.into_iter().collect(),
                districts: district.into_iter().collect(),
                ..question("category and place", None)
            },
            Question {
                sectors: sector.into_iter().collect(),
                live: true,
                ..question("live in a sector", None)
            },
            Question {
                categories: category.into_iter().collect(),
                provinces: district.map(District::province).into_iter().collect(),
                ..question("common word, category, place", Some(one.clone()))
            },
            Question { live: true, newest: true, ..question("common word, live, newest", Some(one)) },
        ]);
    }
    questions
}
