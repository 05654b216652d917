//! Finding tenders in an index: the listing, an alert's matches, one tender by its id, and the statistics. What is asked is `query`'s
//! part, where the index lies and who writes it `catalogue`'s.

mod collect;
mod columns;
mod listing;
mod stats;

pub use listing::{Listing, ListingRequest, Matching, Only, Sort};
pub use stats::Stats;

pub(crate) use listing::{get, listing, matching};
pub(crate) use stats::stats;
