//! The statistics from counts of all tenders.

use super::{dictionary::Dictionary, facet_counts::FacetCounts};
use crate::search::{Stats, StatusCard};

/// The statistics from counts of all tenders.
pub(super) fn stats_of(counts: &FacetCounts, dictionary: &Dictionary) -> Stats {
    let facets = counts.facets(dictionary, 0);
    let card = |only: StatusCard| {
        facets.statuses.iter().find(|(other, _)| *other == only).map_or(0, |(_, count)| *count)
    };
    Stats {
        total: counts.total,
        today: card(StatusCard::Today),
        live: card(StatusCard::Live),
        closed: card(StatusCard::Closed),
        categories: facets.categories,
        sectors: facets.sectors,
    }
}
