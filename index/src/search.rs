//! Finding tenders in an index: the listing with its facets, an alert's matches, one tender by its id, and the statistics. What is asked is
//! `query`'s part, where the index lies and who writes it `catalogue`'s.

mod counts;
mod cursor;
mod dictionary;
mod duplicates;
mod entitlement;
mod facets;
mod listing;
mod order;
mod pass;
mod ranker;
mod request;
mod sieve;
mod similar;
mod snippet;
mod stats;
mod suggest;
mod table;
mod view;

pub use duplicates::Duplicate;
pub use entitlement::{Listed, Lock, Reader, Stub};
pub use facets::{ClosingBand, Facets, PublishedBand, ValueBand};
pub use listing::{Listing, Matching};
pub use request::{ListingRequest, Only, Period, Sort, TenderFilter, ValueRange};
pub use similar::Similar;
pub use snippet::Snippet;
pub use stats::Stats;
pub use suggest::Suggestion;

pub(crate) use duplicates::duplicates;
pub(crate) use listing::{get, listing, matching, stats};
pub(crate) use similar::similar;
pub(crate) use suggest::suggest;
pub(crate) use view::View;
