//! [`Stats`]: the counters of the home page and the listing.

use super::{dictionary::Dictionary, facet_counts::FacetCounts, request::StatusCard};
use tender_model::vocabulary::{Category, Sector};

/// Counts of all tenders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// All tenders.
    pub total: usize,
    /// Published on the portal on the current day in Colombo.
    pub today: usize,
    /// Open for bids.
    pub live: usize,
    /// No longer open.
    pub closed: usize,
    /// The number of tenders of each category, in the order of [`Category::ALL`].
    pub categories: Vec<(Category, usize)>,
    /// The number of tenders of each sector, in the order of [`Sector::ALL`].
    pub sectors: Vec<(Sector, usize)>,
}

impl Stats {
    /// The statistics from counts of all tenders.
    pub(super) fn of(counts: &FacetCounts, dictionary: &Dictionary) -> Self {
        let facets = counts.facets(dictionary, 0);
        let card = |only: StatusCard| {
            facets.statuses.iter().find(|(other, _)| *other == only).map_or(0, |(_, count)| *count)
        };
        Self {
            total: counts.total,
            today: card(StatusCard::Today),
            live: card(StatusCard::Live),
            closed: card(StatusCard::Closed),
            categories: facets.categories,
            sectors: facets.sectors,
        }
    }
}
