//! Search, whatever engine performs it: [`SearchEngine`] with its requests and results, and what all
//! engines share: cursors, snippets, the viewer's rule, suggestions, similar tenders, duplicates.

mod alert_matches;
mod candidates;
mod cursor;
mod duplicates;
mod engine;
mod facets;
mod listing;
mod request;
mod similar;
mod snippet;
mod stats;
mod suggestion;
mod viewer;

pub use alert_matches::AlertMatches;
pub use candidates::CandidateSearch;
pub use cursor::{PinnedListing, SortKey, TermStatistics};
pub use duplicates::{Duplicate, duplicates};
pub use engine::{IndexRebuild, IndexWriter, NodeCounts, SearchEngine};
pub(crate) use facets::VALUE_BAND_BOUNDS;
pub use facets::{ClosingBand, Facets, PublishedBand, ValueBand};
pub use listing::{Listing, MAX_PAGE_SIZE};
pub use request::{ListingRequest, Period, Sort, StatusCard, TenderFilter, ValueRange};
pub use similar::{SimilarHit, similar};
pub use snippet::Snippet;
pub use stats::Stats;
pub use suggestion::{MAX_ORGANIZATIONS, MAX_TITLES, Suggestion, SuggestionSource, TypedPrefix, suggest};
pub use viewer::{ListingItem, TenderLock, TenderStub, Viewer};
