//! Generates any number of alerts from those of a file. A generated alert has the filters of one alert
//! and the keywords of another. A phrase gets its last word from a phrase of a third alert, so that
//! the number of distinct keywords grows with the number of alerts, and single words are shared by more
//! alerts. The same file gives the same alerts.

use crate::workload::Alert;
use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use tender_model::alert::{AlertQuery, Keyword};

/// The seed of the published figures.
const SEED: u64 = 2026;

/// A generator of alerts.
pub struct AlertMixer {
    queries: Vec<AlertQuery>,
    count: usize,
}

impl AlertMixer {
    /// A generator of this number of alerts from the given ones.
    #[must_use]
    pub const fn new(queries: Vec<AlertQuery>, count: usize) -> Self {
        Self { queries, count }
    }

    /// The alerts, always the same.
    pub fn alerts(&self) -> impl Iterator<Item = Alert> + '_ {
        let mut generator = StdRng::seed_from_u64(SEED);
        (0..self.count).filter_map(move |nth| {
            Some(Alert { id: format!("mixed{nth}"), query: self.mix(&mut generator)? })
        })
    }

    fn mix(&self, generator: &mut StdRng) -> Option<AlertQuery> {
        let [filters, keywords] = [self.queries.choose(generator)?, self.queries.choose(generator)?];
        let keywords = keywords.keywords.iter().map(|keyword| {
            let other = self.queries.choose(generator).and_then(|query| query.keywords.choose(generator));
            let term = other.and_then(|other| mixed_phrase(keyword, other));
            Keyword { term: term.unwrap_or_else(|| keyword.term.clone()), ..keyword.clone() }
        });
        Some(AlertQuery { keywords: keywords.collect(), ..filters.clone() })
    }
}

/// The first words of a phrase and the last word of another one. `None`: one of them has a single word.
fn mixed_phrase(keyword: &Keyword, other: &Keyword) -> Option<String> {
    let (first, _) = keyword.term.rsplit_once(' ')?;
    let (_, last) = other.term.rsplit_once(' ')?;
    Some(format!("{first} {last}"))
}
