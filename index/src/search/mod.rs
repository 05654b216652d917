//! Finding tenders in an index: the listing with its facets, an alert's matches, one tender by its id, and the statistics. What is asked is
//! `query`'s part, where the index lies and who writes it `catalogue`'s.

mod collector;
mod columns;
mod cursor;
mod dictionary;
mod duplicates;
mod entitlement;
mod facet_counts;
mod facets;
mod filter;
mod listing;
mod order;
mod ranker;
mod request;
mod similar;
mod snapshot;
mod snippet;
mod stats;
mod suggest;

pub use duplicates::Duplicate;
pub use entitlement::{ListingItem, TenderLock, TenderStub, Viewer};
pub use facets::{ClosingBand, Facets, PublishedBand, ValueBand};
pub use listing::{AlertMatches, Listing};
pub use request::{ListingRequest, Period, Sort, StatusCard, TenderFilter, ValueRange};
pub use similar::SimilarHit;
pub use snippet::Snippet;
pub use stats::Stats;
pub use suggest::Suggestion;

pub(crate) use duplicates::duplicates;
pub(crate) use listing::{get, listing, matching, stats};
pub(crate) use similar::similar;
pub(crate) use snapshot::Snapshot;
pub(crate) use suggest::suggest;
