//! The counters of the home page and the listing, from the same pass that counts facets.

use super::{dictionary::Dictionary, facet_counts::FacetCounts, request::StatusCard};
use tender_model::vocabulary::{Category, Sector};

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

impl Stats {
    /// Of counts of everything.
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
