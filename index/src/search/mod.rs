//! Search in an index: listings with facets, the matches of an alert, similar tenders, duplicates,
//! suggestions, single tenders and statistics. Queries are built in [`crate::query`].

mod alert_matches;
mod cached;
mod collector;
mod columns;
mod compiled_filter;
mod cursor;
mod dictionary;
mod duplicates;
mod facet_counts;
mod facets;
mod filter_kinds;
mod listing;
mod lookup;
mod name_index;
mod order;
mod ranker;
mod request;
mod similar;
mod snapshot;
mod snippet;
mod stats;
mod suggest;
mod unfiltered;
mod viewer;

pub use alert_matches::AlertMatches;
pub use duplicates::Duplicate;
pub use facets::{ClosingBand, Facets, PublishedBand, ValueBand};
pub use listing::Listing;
pub use request::{ListingRequest, Period, Sort, StatusCard, TenderFilter, ValueRange};
pub use similar::SimilarHit;
pub use snippet::Snippet;
pub use stats::Stats;
pub use suggest::Suggestion;
pub use viewer::{ListingItem, TenderLock, TenderStub, Viewer};

pub(crate) use alert_matches::matching;
pub(crate) use duplicates::duplicates;
pub(crate) use listing::listing;
pub(crate) use lookup::{get, scan};
pub(crate) use similar::similar;
pub(crate) use snapshot::Snapshot;
pub(crate) use suggest::suggest;
pub(crate) use unfiltered::stats;
