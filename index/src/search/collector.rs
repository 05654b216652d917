//! One pass over the tenders that a text finds, or over all: block by block, it sieves, counts and keeps the best. A large index is gone
//! through by several threads, each with segments of its own.

use super::{
    columns::SegmentColumns,
    facet_counts::FacetCounts,
    filter::CompiledFilter,
    order::{Order, RankedTender, SortKey, TopTenders},
    ranker::{Ranker, SegmentRanker},
    snapshot::Snapshot,
};
use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use tantivy::{DocId, SegmentOrdinal, SegmentReader, query::Weight};

/// How many tenders are sieved at a time.
const BLOCK: usize = 256;
/// An index of fewer tenders is gone through by one thread.
const LARGE: usize = 200_000;
/// More threads than this would only take turns at the memory.
const MOST_THREADS: usize = 4;

/// What to go through, and what for.
pub(super) struct Collector<'a> {
    pub(super) view: &'a Snapshot,
    pub(super) sieve: &'a CompiledFilter,
    pub(super) order: &'a Order,
    /// What finds those that are not locked, and those that are. `None`: go through all.
    pub(super) texts: Option<TextMatchers>,
    /// How many of the best to keep, and behind what.
    pub(super) keep: usize,
    pub(super) after: Option<SortKey>,
    /// Counts of nothing, where facets are asked for.
    pub(super) counts: Option<FacetCounts>,
}

/// What a text finds.
pub(super) struct TextMatchers {
    /// By all that a tender says.
    pub(super) everything: TextMatcher,
    /// By what may be known of a locked one; needed where any can be.
    pub(super) stub: Option<TextMatcher>,
}

/// What finds tenders, and what ranks them where that is the order.
pub(super) struct TextMatcher {
    pub(super) finder: Box<dyn Weight>,
    pub(super) ranker: Option<Ranker>,
}

/// What was found.
pub(super) struct Collected {
    pub(super) total: usize,
    /// The best, best first.
    pub(super) best: Vec<RankedTender>,
    pub(super) counts: Option<FacetCounts>,
}

impl Collector<'_> {
    /// Goes through the index.
    pub(super) fn run(&self) -> tantivy::Result<Collected> {
        let segments = self.view.tables.len();
        let threads = if self.view.count() < LARGE {
            1
        } else {
            thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS).min(segments)
        };
        let next = AtomicUsize::new(0);
        let mut all = if threads < 2 {
            self.work(&next)?
        } else {
            thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| self.work(&next))).collect();
                let mut all = self.work(&next)?;
                for other in others {
                    all.add(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
                }
                Ok::<_, tantivy::TantivyError>(all)
            })?
        };
        Ok(Collected {
            total: all.total,
            best: std::mem::replace(&mut all.best, TopTenders::new(0, None)).into_sorted(),
            counts: all.counts,
        })
    }

    /// Goes through segments until none is left.
    fn work(&self, next: &AtomicUsize) -> tantivy::Result<ThreadCollector<'_>> {
        let best = TopTenders::new(self.keep, self.after);
        let mut seen = ThreadCollector { pass: self, best, counts: self.counts.clone(), total: 0 };
        let segments: Vec<(&SegmentReader, &SegmentColumns)> = self.view.segments().collect();
        loop {
            let segment = next.fetch_add(1, Ordering::Relaxed);
            let Some((reader, table)) = segments.get(segment) else { return Ok(seen) };
            seen.segment(segment as SegmentOrdinal, reader, table)?;
        }
    }
}

/// What one thread has seen.
struct ThreadCollector<'a> {
    pass: &'a Collector<'a>,
    best: TopTenders,
    counts: Option<FacetCounts>,
    total: usize,
}

/// Tenders of one segment that are yet to be sieved.
struct Block<'t> {
    segment: SegmentOrdinal,
    table: &'t SegmentColumns,
    /// Only those that are locked, or only those that are not; and what the reader's account is called among the owners.
    locked: Option<bool>,
    account: Option<u64>,
    ranker: Option<SegmentRanker>,
    documents: [DocId; BLOCK],
    length: usize,
}

impl ThreadCollector<'_> {
    fn add(&mut self, other: Self) {
        self.total += other.total;
        self.best.add(other.best);
        if let (Some(counts), Some(other)) = (&mut self.counts, &other.counts) {
            counts.add(other);
        }
    }

    fn segment(
        &mut self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
        table: &SegmentColumns,
    ) -> tantivy::Result<()> {
        let sieve = self.pass.sieve;
        let alive = reader.alive_bitset();
        let is_alive = |document: DocId| alive.is_none_or(|alive| alive.is_alive(document));
        let account = sieve.account_in(table)?;
        let documents = [0; BLOCK];
        let mut block = Block { segment, table, locked: None, account, ranker: None, documents, length: 0 };
        let Some(texts) = &self.pass.texts else {
            for document in (0..reader.max_doc()).filter(|document| is_alive(*document)) {
                self.put(&mut block, document);
            }
            self.sieve(&mut block);
            return Ok(());
        };
        for (found, locked) in [(Some(&texts.everything), false), (texts.stub.as_ref(), true)] {
            let Some(found) = found else { continue };
            block.locked = sieve.locks.then_some(locked);
            block.ranker = found.ranker.as_ref().map(|ranker| ranker.of_segment(reader)).transpose()?;
            found.finder.for_each_no_score(reader, &mut |documents| {
                for document in documents.iter().filter(|document| is_alive(**document)) {
                    self.put(&mut block, *document);
                }
            })?;
            self.sieve(&mut block);
        }
        Ok(())
    }

    #[inline]
    fn put(&mut self, block: &mut Block<'_>, document: DocId) {
        block.documents[block.length] = document;
        block.length += 1;
        if block.length == BLOCK {
            self.sieve(block);
        }
    }

    /// Sieves a block and empties it. Most filters go by codes: those first, for all of the block, since what fails two of them counts
    /// nowhere.
    fn sieve(&mut self, block: &mut Block<'_>) {
        let Collector { sieve, order, .. } = self.pass;
        let table = block.table;
        let mut failed = [0; BLOCK];
        for (failed, document) in failed.iter_mut().zip(&block.documents[..block.length]) {
            *failed = sieve.failed_by_codes(table.row(*document).hot);
        }
        for (at, failed) in failed[..block.length].iter().enumerate() {
            if failed & failed.wrapping_sub(1) != 0 || (*failed != 0 && self.counts.is_none()) {
                continue;
            }
            let document = block.documents[at];
            let row = &table.row(document);
            if !sieve.was_there(table, document, row) {
                continue;
            }
            if let Some(locked) = block.locked
                && sieve.lock(table, document, row, block.account).is_some() != locked
            {
                continue;
            }
            let failed = failed | sieve.failed_by_rest(row);
            if failed == 0 {
                self.total += 1;
                let score = match &mut block.ranker {
                    Some(ranker) => ranker.weigh(document, self.best.least_score()),
                    None => Some(0.0),
                };
                if let Some(score) = score {
                    self.best.see(order.key(sieve, row, score), table, block.segment, document);
                }
            }
            if let Some(counts) = &mut self.counts {
                counts.count(row, failed);
            }
        }
        block.length = 0;
    }
}
