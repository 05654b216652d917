//! [`Stats`]: the counters of the home page and the listing.

use super::{facets::Facets, request::StatusCard};
use tender_model::vocabulary::{Category, Sector};

/// Counts of all tenders, or of those that match a request.
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
    /// The statistics from the facets of a listing. Every listed tender is either live or closed, so
    /// that the total does not depend on the request's own status.
    #[must_use]
    pub fn of_facets(facets: Facets) -> Self {
        let card = |wanted: StatusCard| {
            facets.statuses.iter().find(|(card, _)| *card == wanted).map_or(0, |(_, count)| *count)
        };
        let (live, closed) = (card(StatusCard::Live), card(StatusCard::Closed));
        Self {
            total: live + closed,
            today: card(StatusCard::Today),
            live,
            closed,
            categories: facets.categories,
            sectors: facets.sectors,
        }
    }
}
