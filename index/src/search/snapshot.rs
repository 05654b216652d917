//! [`Snapshot`]: everything that searches of one moment share: Tantivy's searcher, the rows of its segments, and what was counted once for
//! all. A view never changes; after a commit another takes its place, built beside it, so that no search waits for one.

use super::{
    columns::{SegmentColumns, UNKNOWN},
    dictionary::Dictionary,
    facet_counts::{FacetCounts, TimedAnswer},
    order::RankedTender,
    stats::Stats,
    suggest::NameIndex,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use tantivy::{Searcher, SegmentReader, index::SegmentId};
use tender_model::vocabulary::{Moment, Rates};
use uuid::Uuid;

/// What is searched.
pub(crate) struct Snapshot {
    pub(crate) searcher: Searcher,
    pub(super) dictionary: Arc<Dictionary>,
    /// In the order of the searcher's segments.
    pub(super) tables: Vec<Arc<SegmentColumns>>,
    /// The newest publication.
    pub(super) newest: (i64, Uuid),
    /// The names of `dictionary.organizations`, to be found while they are typed.
    pub(super) organizations: Arc<NameIndex>,
    /// How many tenders each of them has, by code.
    pub(super) organization_counts: Vec<u32>,
    by_segment: HashMap<SegmentId, Arc<SegmentColumns>>,
    /// The first pages of the listing without text or filter.
    pub(super) front: OnceLock<Vec<RankedTender>>,
    pub(super) unfiltered: Cached<Rates, FacetCounts>,
    pub(super) stats: Cached<(), Stats>,
}

impl Snapshot {
    /// Reads the segments that `before` did not have.
    pub(crate) fn new(searcher: Searcher, before: Option<&Self>) -> tantivy::Result<Self> {
        let mut dictionary = before.map(|before| Arc::clone(&before.dictionary)).unwrap_or_default();
        let mut by_segment = HashMap::new();
        let mut tables = Vec::new();
        for reader in searcher.segment_readers() {
            let segment = reader.segment_id();
            let table = match before.and_then(|before| before.by_segment.get(&segment)) {
                Some(table) => Arc::clone(table),
                None => Arc::new(SegmentColumns::read(reader, Arc::make_mut(&mut dictionary))?),
            };
            by_segment.insert(segment, Arc::clone(&table));
            tables.push(table);
        }
        if !dictionary.is_complete() {
            Arc::make_mut(&mut dictionary).complete();
        }
        let names = &dictionary.organizations;
        let organizations = match before {
            Some(before) if before.organizations.len() == names.len() => Arc::clone(&before.organizations),
            _ => Arc::new(NameIndex::new((1..names.len()).filter_map(|code| names.spelling(code)))),
        };
        let mut organization_counts = vec![0; names.len()];
        for (code, count) in tables.iter().flat_map(|table| table.organizations.iter()) {
            if let Some(sum) = organization_counts.get_mut(*code as usize) {
                *sum += count;
            }
        }
        let newest = tables.iter().filter_map(|table| table.newest).max();
        let newest = newest.unwrap_or((UNKNOWN, Uuid::max()));
        Ok(Self {
            searcher,
            dictionary,
            tables,
            newest,
            organizations,
            organization_counts,
            by_segment,
            front: OnceLock::new(),
            unfiltered: Cached::default(),
            stats: Cached::default(),
        })
    }

    /// How many tenders there are.
    pub(super) fn count(&self) -> usize {
        self.searcher.num_docs() as usize
    }

    /// The segments with their rows.
    pub(super) fn segments(&self) -> impl Iterator<Item = (&SegmentReader, &SegmentColumns)> {
        self.searcher.segment_readers().iter().zip(self.tables.iter().map(AsRef::as_ref))
    }
}

/// The last answer to a question that is asked again and again, for as long as time alone doesn't change it.
pub(super) struct Cached<Q, A>(Mutex<Option<(Q, TimedAnswer<Arc<A>>)>>);

impl<Q, A> Default for Cached<Q, A> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<Q: PartialEq + Clone, A> Cached<Q, A> {
    /// The answer to `question` at `now`, from before if it holds.
    pub(super) fn get_or(&self, question: &Q, now: Moment, ask: impl FnOnce() -> TimedAnswer<A>) -> Arc<A> {
        {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((asked, kept)) = kept.as_ref()
                && asked == question
                && kept.holds_at(now)
            {
                return Arc::clone(&kept.answer);
            }
        }
        // Not under the lock: who asks something else meanwhile need not wait.
        let counted = ask();
        let answer = Arc::new(counted.answer);
        let kept = TimedAnswer { answer: Arc::clone(&answer), from: counted.from, until: counted.until };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((question.clone(), kept));
        answer
    }
}
