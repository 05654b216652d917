//! The counters of the home page and the listing, in one pass over the columns.

use super::{columns::Columns, listing::Only};
use crate::{
    catalogue::IndexError,
    vocabulary::{Category, Moment, Sector},
};
use tantivy::Searcher;

/// How many tenders there are: decisions, "total, live, closed, today".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// All of them.
    pub total: usize,
    /// Published here on this Colombo day.
    pub today: usize,
    /// Open to bids.
    pub live: usize,
    /// No longer open.
    pub closed: usize,
    /// Of every category, in the form's order.
    pub categories: Vec<(Category, usize)>,
    /// Of every sector, in the listing's order.
    pub sectors: Vec<(Sector, usize)>,
}

/// Counts.
pub(crate) fn stats(searcher: &Searcher, now: Moment) -> Result<Stats, IndexError> {
    let mut stats = Stats {
        categories: Category::ALL.iter().map(|category| (*category, 0)).collect(),
        sectors: Sector::ALL.iter().map(|sector| (*sector, 0)).collect(),
        ..Stats::default()
    };
    for reader in searcher.segment_readers() {
        let columns = Columns::of(reader)?;
        for document in reader.doc_ids_alive() {
            let facts = columns.facts(document).at(now);
            stats.total += 1;
            stats.today += usize::from(Only::Today.admits(&facts, now));
            stats.live += usize::from(Only::Live.admits(&facts, now));
            stats.closed += usize::from(Only::Closed.admits(&facts, now));
            if let Some(category) = facts.category() {
                stats.categories[category as usize].1 += 1;
            }
            if let Some(sector) = facts.sector() {
                stats.sectors[sector as usize].1 += 1;
            }
        }
    }
    Ok(stats)
}
