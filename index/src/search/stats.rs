//! [`Stats`]: the counters of the home page and the listing.

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
