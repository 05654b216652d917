//! [`Snapshot`]: the state that all searches share until the next commit: Tantivy's searcher, the
//! columns of its segments, and cached results. Apart from the caches, a snapshot is immutable.
//! After a commit, a new snapshot is built while searches use the old one.

use super::{
    cached::Cached,
    columns::{SegmentColumns, UNKNOWN},
    dictionary::Dictionary,
    facet_counts::FacetCounts,
    name_index::NameIndex,
    order::RankedTender,
};
use crate::search::Stats;
use std::{collections::HashMap, sync::Arc};
use tantivy::{Searcher, SegmentReader, index::SegmentId};
use tender_model::vocabulary::Rates;
use uuid::Uuid;

/// The number of all tenders, and the newest of them.
pub(super) struct NewestTenders {
    pub(super) total: usize,
    /// The newest tenders, as many as are cached.
    pub(super) tenders: Vec<RankedTender>,
}

/// The state of the index that searches read.
pub(crate) struct Snapshot {
    pub(crate) searcher: Searcher,
    pub(super) dictionary: Arc<Dictionary>,
    /// The columns of each segment, in the order of the searcher's segments.
    pub(super) all_columns: Vec<Arc<SegmentColumns>>,
    /// The newest publication, as time and id.
    pub(super) newest: (i64, Uuid),
    /// Prefix search in `dictionary.organizations`.
    pub(super) organizations: Arc<NameIndex>,
    /// The number of tenders of each organisation, by code, including deleted tenders.
    pub(super) organization_counts: Vec<u32>,
    by_segment: HashMap<SegmentId, Arc<SegmentColumns>>,
    /// The first tenders of the listing without text and filters, newest first.
    pub(super) newest_tenders: Cached<(), NewestTenders>,
    /// The same with open tenders before all others.
    pub(super) newest_open_first: Cached<(), NewestTenders>,
    /// The facet counts of all tenders.
    pub(super) unfiltered_counts: Cached<Rates, FacetCounts>,
    pub(super) stats: Cached<(), Stats>,
}

impl Snapshot {
    /// Builds a snapshot. Columns of segments that `before` contains are reused.
    pub(crate) fn new(searcher: Searcher, before: Option<&Self>) -> tantivy::Result<Self> {
        let mut dictionary = before.map(|before| Arc::clone(&before.dictionary)).unwrap_or_default();
        let mut by_segment = HashMap::new();
        let mut all_columns = Vec::new();
        for reader in searcher.segment_readers() {
            let segment = reader.segment_id();
            let columns = match before.and_then(|before| before.by_segment.get(&segment)) {
                Some(columns) => Arc::clone(columns),
                None => Arc::new(SegmentColumns::read(reader, Arc::make_mut(&mut dictionary))?),
            };
            by_segment.insert(segment, Arc::clone(&columns));
            all_columns.push(columns);
        }
        if !dictionary.is_decoded() {
            Arc::make_mut(&mut dictionary).decode_new();
        }
        let names = &dictionary.organizations;
        let organizations = match before {
            Some(before) if before.organizations.len() == names.len() => Arc::clone(&before.organizations),
            _ => Arc::new(NameIndex::new((1..names.len()).filter_map(|code| names.spelling(code)))),
        };
        let mut organization_counts = vec![0; names.len()];
        for (code, count) in all_columns.iter().flat_map(|columns| columns.organizations.iter()) {
            if let Some(sum) = organization_counts.get_mut(*code as usize) {
                *sum += count;
            }
        }
        let newest = all_columns.iter().filter_map(|columns| columns.newest).max();
        let newest = newest.unwrap_or((UNKNOWN, Uuid::max()));
        Ok(Self {
            searcher,
            dictionary,
            all_columns,
            newest,
            organizations,
            organization_counts,
            by_segment,
            newest_tenders: Cached::default(),
            newest_open_first: Cached::default(),
            unfiltered_counts: Cached::default(),
            stats: Cached::default(),
        })
    }

    /// The number of documents, including hidden ones.
    pub(super) fn count(&self) -> usize {
        self.searcher.num_docs() as usize
    }

    /// The segments with their columns.
    pub(super) fn segments(&self) -> impl Iterator<Item = (&SegmentReader, &SegmentColumns)> {
        self.searcher.segment_readers().iter().zip(self.all_columns.iter().map(AsRef::as_ref))
    }
}
