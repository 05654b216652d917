//! The paths of the scenarios. All are determined by the stored tenders and a seed.

use super::store::{StoredTender, frequent_words};
use crate::lists::encode;
use anyhow::{Result, ensure};
use rand::{
    Rng, SeedableRng,
    distr::{Distribution, weighted::WeightedIndex},
    rngs::StdRng,
    seq::IndexedRandom,
};
use std::collections::HashSet;

/// The number of requests that a file of draws contains.
const DRAWS: usize = 16_000;

/// Draws places from 0 so that place n is drawn in proportion to 1 / (n + 1).
pub(crate) struct Zipf(WeightedIndex<f64>);

impl Zipf {
    /// The number of places must not be 0.
    pub(crate) fn new(places: usize) -> Result<Self> {
        Ok(Self(WeightedIndex::new((1..=places).map(|rank| 1.0 / rank as f64))?))
    }

    pub(crate) fn draw(&self, random: &mut impl Rng) -> usize {
        self.0.sample(random)
    }
}

/// Repeats the entries in the order of Zipf draws.
pub(crate) fn zipf_draws<T: Clone>(entries: &[T], seed: u64) -> Result<Vec<T>> {
    let (zipf, mut random) = (Zipf::new(entries.len())?, StdRng::seed_from_u64(seed));
    Ok((0..DRAWS).map(|_| entries[zipf.draw(&mut random)].clone()).collect())
}

/// Different query strings for subscribers, with texts and all kinds of filters.
pub(crate) fn subscriber_queries(tenders: &[StoredTender], count: usize, seed: u64) -> Result<Vec<String>> {
    let mut random = StdRng::seed_from_u64(seed);
    let words = frequent_words(tenders);
    ensure!(!words.is_empty(), "the tenders have no words");
    let zipf = Zipf::new(words.len())?;
    distinct(count, |nth| {
        let tender = tenders.choose(&mut random)?;
        let word = encode(&words[zipf.draw(&mut random)]);
        let place = nth % 8;
        Some(match place {
            0 => format!("search={word}"),
            1 => format!("search={}", encode(&two_words(tender, &mut random)?)),
            2 => format!("search={word}&categories={}", encode(&tender.category)),
            3 => format!("search={word}&districts={}&isLive=true", encode(&tender.district)),
            4 => format!("categories={}&publishedFrom={}", encode(&tender.category), tender.published),
            5 => format!("organizations={}&sort=closing", encode(&tender.organization)),
            6 => format!("districts={}&minValue={}", encode(&tender.district), random.random_range(1..50)),
            _ => format!("search={word}&sort=newest&closingFrom={}", tender.published),
        })
    })
}

/// Different query strings for guests, who can search for a text in one category.
pub(crate) fn guest_queries(tenders: &[StoredTender], count: usize, seed: u64) -> Result<Vec<String>> {
    let mut random = StdRng::seed_from_u64(seed);
    distinct(count, |_| {
        let tender = tenders.choose(&mut random)?;
        let text = encode(&two_words(tender, &mut random)?);
        let other = tenders.choose(&mut random)?;
        Some(match random.random_range(0..4) {
            0 => format!("search={text}&isLive=true"),
            1 => format!("search={text}&category={}", encode(&tender.category)),
            2 => format!("search={text}%20{}", encode(other.words.choose(&mut random)?)),
            _ => format!("search={text}&page={}", random.random_range(1..4)),
        })
    })
}

/// The beginnings of frequent words, as a reader types them.
pub(crate) fn suggest_texts(tenders: &[StoredTender], count: usize, seed: u64) -> Result<Vec<String>> {
    let mut random = StdRng::seed_from_u64(seed);
    let words = frequent_words(tenders);
    ensure!(!words.is_empty(), "the tenders have no words");
    let zipf = Zipf::new(words.len())?;
    distinct(count, |_| {
        let word = &words[zipf.draw(&mut random)];
        let length = random.random_range(2..=word.chars().count());
        Some(format!("text={}", encode(&word.chars().take(length).collect::<String>())))
    })
}

fn two_words(tender: &StoredTender, random: &mut StdRng) -> Option<String> {
    let words: Vec<&String> = tender.words.choose_multiple(random, 2).collect();
    (words.len() == 2).then(|| format!("{} {}", words[0], words[1]))
}

/// Calls `make` until there are `count` different texts.
fn distinct(count: usize, mut make: impl FnMut(usize) -> Option<String>) -> Result<Vec<String>> {
    let mut known = HashSet::new();
    let mut made = Vec::with_capacity(count);
    for attempt in 0.. {
        ensure!(attempt < 100 * count.max(100), "the tenders vary too little for {count} different queries");
        if let Some(text) = make(attempt).filter(|text| known.insert(text.clone())) {
            made.push(text);
        }
        if made.len() == count {
            break;
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn zipf_draws_the_first_place_twice_as_often_as_the_second() {
        let (zipf, mut random) = (Zipf::new(1000).unwrap(), StdRng::seed_from_u64(7));
        let mut counts = [0_u32; 1000];
        for _ in 0..200_000 {
            counts[zipf.draw(&mut random)] += 1;
        }
        // The sum of the weights 1/n up to 1000 is 7.49.
        let expected = 200_000.0 / 7.485;
        for rank in [1, 2, 10] {
            let ratio = f64::from(counts[rank - 1]) * rank as f64 / expected;
            assert!((0.95..1.05).contains(&ratio), "rank {rank}: {ratio}");
        }
        assert!(counts.iter().all(|count| *count > 0));
        assert!(Zipf::new(0).is_err());
    }

    #[test]
    fn draws_are_determined_by_the_seed() {
        let entries: Vec<usize> = (0..50).collect();
        assert_eq!(zipf_draws(&entries, 1).unwrap(), zipf_draws(&entries, 1).unwrap());
        assert_ne!(zipf_draws(&entries, 1).unwrap(), zipf_draws(&entries, 2).unwrap());
    }

    #[test]
    fn queries_are_different() {
        let tenders: Vec<StoredTender> = (0..100)
            .map(|place| StoredTender {
                id: Uuid::nil(),
                words: (0..6).map(|word| format!("word{}", place * 3 + word)).collect(),
                category: format!("Category {}", place % 9),
                organization: format!("Org {place}"),
                district: "Galle".to_owned(),
                published: "2026-11-20".to_owned(),
            })
            .collect();
        for queries in [
            subscriber_queries(&tenders, 300, 1).unwrap(),
            guest_queries(&tenders, 300, 1).unwrap(),
            suggest_texts(&tenders, 100, 1).unwrap(),
        ] {
            let different: HashSet<&String> = queries.iter().collect();
            assert_eq!(different.len(), queries.len());
        }
        assert!(suggest_texts(&tenders, 100_000, 1).is_err());
    }
}
