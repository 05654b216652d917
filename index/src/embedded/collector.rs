//! [`Collector`]: one pass over the tenders that match a text, or over all tenders. It filters and
//! counts the tenders block by block and keeps the top ones. In a large index, several threads
//! process the segments.

use super::{
    columns::SegmentColumns,
    compiled_filter::CompiledFilter,
    facet_counts::FacetCounts,
    order::{Order, RankedTender, TopTenders},
    ranker::{Ranker, SegmentRanker},
    snapshot::Snapshot,
};
use crate::search::SortKey;
use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use tantivy::{DocId, SegmentOrdinal, SegmentReader, query::Weight};

/// The number of tenders per block.
const BLOCK: usize = 256;
/// An index with fewer tenders is processed by one thread.
const MIN_PARALLEL_TENDERS: usize = 200_000;
/// The maximum number of threads. More would only compete for memory bandwidth.
const MAX_THREADS: usize = 4;

/// The input of a pass.
pub(super) struct Collector<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) filter: &'a CompiledFilter,
    pub(super) order: &'a Order,
    /// The matchers of the search text. `None` without a text, so that all tenders match.
    pub(super) texts: Option<TextMatchers>,
    /// How many top tenders to keep.
    pub(super) keep: usize,
    /// The key after which the top tenders start.
    pub(super) after: Option<SortKey>,
    /// Counters at zero, if facets must be counted.
    pub(super) counts: Option<FacetCounts>,
}

/// The matchers of a search text.
pub(super) struct TextMatchers {
    /// Searches all texts of open tenders.
    pub(super) everything: TextMatcher,
    /// Searches those texts of locked tenders that everyone may read. Set if tenders can be locked.
    pub(super) stub: Option<TextMatcher>,
}

/// A matcher, with a ranker if the order is by relevance.
pub(super) struct TextMatcher {
    pub(super) finder: Box<dyn Weight>,
    pub(super) ranker: Option<Ranker>,
}

/// The result of a pass.
pub(super) struct Collected {
    pub(super) total: usize,
    /// The top tenders in order.
    pub(super) best: Vec<RankedTender>,
    pub(super) counts: Option<FacetCounts>,
}

impl Collector<'_> {
    /// Runs the pass.
    pub(super) fn run(&self) -> tantivy::Result<Collected> {
        let segments = self.snapshot.all_columns.len();
        let threads = if self.snapshot.count() < MIN_PARALLEL_TENDERS {
            1
        } else {
            thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS).min(segments)
        };
        let next = AtomicUsize::new(0);
        let mut all = if threads < 2 {
            self.process_segments(&next)?
        } else {
            thread::scope(|scope| {
                let others: Vec<_> =
                    (1..threads).map(|_| scope.spawn(|| self.process_segments(&next))).collect();
                let mut all = self.process_segments(&next)?;
                for other in others {
                    all.merge(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
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

    /// Processes segments until none is left.
    fn process_segments(&self, next: &AtomicUsize) -> tantivy::Result<ThreadCollector<'_>> {
        let best = TopTenders::new(self.keep, self.after);
        let mut seen = ThreadCollector { pass: self, best, counts: self.counts.clone(), total: 0 };
        let segments: Vec<(&SegmentReader, &SegmentColumns)> = self.snapshot.segments().collect();
        loop {
            let segment = next.fetch_add(1, Ordering::Relaxed);
            let Some((reader, columns)) = segments.get(segment) else { return Ok(seen) };
            seen.process_segment(segment as SegmentOrdinal, reader, columns)?;
        }
    }
}

/// The state of one thread.
struct ThreadCollector<'a> {
    pass: &'a Collector<'a>,
    best: TopTenders,
    counts: Option<FacetCounts>,
    total: usize,
}

/// A buffer of tenders of one segment, to be filtered together.
struct Block<'t> {
    segment: SegmentOrdinal,
    columns: &'t SegmentColumns,
    /// Whether only locked tenders are kept, or only open ones. `None`: both.
    locked: Option<bool>,
    /// The ordinal of the viewer's account among the owners of the segment.
    account: Option<u64>,
    ranker: Option<SegmentRanker>,
    documents: [DocId; BLOCK],
    length: usize,
}

impl ThreadCollector<'_> {
    fn merge(&mut self, other: Self) {
        self.total += other.total;
        self.best.merge(other.best);
        if let (Some(counts), Some(other)) = (&mut self.counts, &other.counts) {
            counts.merge(other);
        }
    }

    fn process_segment(
        &mut self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
        columns: &SegmentColumns,
    ) -> tantivy::Result<()> {
        let filter = self.pass.filter;
        let alive = reader.alive_bitset();
        let is_alive = |document: DocId| alive.is_none_or(|alive| alive.is_alive(document));
        let account = filter.account_in(columns)?;
        let documents = [0; BLOCK];
        let mut block = Block { segment, columns, locked: None, account, ranker: None, documents, length: 0 };
        let Some(texts) = &self.pass.texts else {
            for document in (0..reader.max_doc()).filter(|document| is_alive(*document)) {
                self.put(&mut block, document);
            }
            self.filter_block(&mut block);
            return Ok(());
        };
        for (found, locked) in [(Some(&texts.everything), false), (texts.stub.as_ref(), true)] {
            let Some(found) = found else { continue };
            block.locked = filter.has_locks.then_some(locked);
            block.ranker = found.ranker.as_ref().map(|ranker| ranker.of_segment(reader)).transpose()?;
            found.finder.for_each_no_score(reader, &mut |documents| {
                for document in documents.iter().filter(|document| is_alive(**document)) {
                    self.put(&mut block, *document);
                }
            })?;
            self.filter_block(&mut block);
        }
        Ok(())
    }

    #[inline]
    fn put(&mut self, block: &mut Block<'_>, document: DocId) {
        block.documents[block.length] = document;
        block.length += 1;
        if block.length == BLOCK {
            self.filter_block(block);
        }
    }

    /// Filters a block and empties it. The filters on codes run first for the whole block. A tender
    /// that fails two of them is skipped, because it is counted in no facet.
    fn filter_block(&mut self, block: &mut Block<'_>) {
        let Collector { filter, order, .. } = self.pass;
        let columns = block.columns;
        let mut failed = [0; BLOCK];
        for (failed, document) in failed.iter_mut().zip(&block.documents[..block.length]) {
            *failed = filter.failed_by_codes(columns.row(*document).hot);
        }
        for (at, failed) in failed[..block.length].iter().enumerate() {
            if failed & failed.wrapping_sub(1) != 0 || (*failed != 0 && self.counts.is_none()) {
                continue;
            }
            let document = block.documents[at];
            let row = &columns.row(document);
            if !filter.is_in_pinned_listing(columns, document, row) {
                continue;
            }
            if let Some(locked) = block.locked
                && filter.lock(columns, document, row, block.account).is_some() != locked
            {
                continue;
            }
            let failed = failed | filter.failed_by_rest(row);
            if failed == 0 {
                self.total += 1;
                let group = order.group(filter, row);
                let score = match &mut block.ranker {
                    Some(ranker) => {
                        let least = self.best.least_score(group);
                        least.and_then(|least| ranker.score(document, least))
                    }
                    None => Some(0.0),
                };
                if let Some(score) = score {
                    self.best.add(order.key(filter, row, group, score), columns, block.segment, document);
                }
            }
            if let Some(counts) = &mut self.counts {
                counts.count(row, failed);
            }
        }
        block.length = 0;
    }
}
