//! A Tantivy collector that sieves by [`Facts`], counts what passes, and keeps the best by score, publication and id: an order that no
//! merge of segments changes.

use super::columns::Columns;
use crate::query::Facts;
use std::{cmp::Reverse, sync::Arc};
use tantivy::{
    DocAddress, DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};
use uuid::Uuid;

/// Whether a tender passes.
pub(super) type Sieve = Arc<dyn Fn(&Facts) -> bool + Send + Sync>;

/// What to collect.
pub(super) struct Collect {
    pub(super) sieve: Sieve,
    /// How many of the best to keep.
    pub(super) keep: usize,
    /// Order by score before all else.
    pub(super) by_score: bool,
}

/// What passed.
pub(super) struct Collected {
    pub(super) total: usize,
    /// The best, best first.
    pub(super) best: Vec<Found>,
}

/// One tender, ordered as it is listed: best score, newest, greatest id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    score: Reverse<u32>,
    published_at: Reverse<Option<i64>>,
    pub(super) id: Reverse<Uuid>,
    pub(super) address: DocAddress,
}

pub(super) struct SegmentCollect {
    columns: Columns,
    sieve: Sieve,
    segment: SegmentOrdinal,
    by_score: bool,
    total: usize,
    best: Best,
}

/// The best of what was seen, cut back now and then.
struct Best {
    keep: usize,
    found: Vec<Found>,
}

impl Best {
    fn push(&mut self, found: Found) {
        if self.keep == 0 {
            return;
        }
        self.found.push(found);
        if self.found.len() >= self.keep.saturating_mul(2).max(1024) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.keep {
            self.found.select_nth_unstable(self.keep - 1);
            self.found.truncate(self.keep);
        }
    }

    fn sorted(mut self) -> Vec<Found> {
        if self.keep > 0 {
            self.cut();
        }
        self.found.sort_unstable();
        self.found
    }
}

impl Collector for Collect {
    type Fruit = Collected;
    type Child = SegmentCollect;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<SegmentCollect> {
        Ok(SegmentCollect {
            columns: Columns::of(reader)?,
            sieve: Arc::clone(&self.sieve),
            segment,
            by_score: self.by_score,
            total: 0,
            best: Best { keep: self.keep, found: Vec::new() },
        })
    }

    fn requires_scoring(&self) -> bool {
        self.by_score
    }

    fn merge_fruits(&self, fruits: Vec<Collected>) -> tantivy::Result<Collected> {
        let total = fruits.iter().map(|fruit| fruit.total).sum();
        let found = fruits.into_iter().flat_map(|fruit| fruit.best).collect();
        Ok(Collected { total, best: Best { keep: self.keep, found }.sorted() })
    }
}

impl SegmentCollector for SegmentCollect {
    type Fruit = Collected;

    fn collect(&mut self, document: DocId, score: Score) {
        let facts = self.columns.facts(document);
        if !(self.sieve)(&facts) {
            return;
        }
        self.total += 1;
        // Scores are never negative, and such floats order as their bits do.
        let score = if self.by_score { score.max(0.0).to_bits() } else { 0 };
        self.best.push(Found {
            score: Reverse(score),
            published_at: Reverse(facts.published_at),
            id: Reverse(self.columns.id(document)),
            address: DocAddress::new(self.segment, document),
        });
    }

    fn harvest(self) -> Collected {
        Collected { total: self.total, best: self.best.sorted() }
    }
}
