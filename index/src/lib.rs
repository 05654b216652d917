//! Search for tenders: a Tantivy index with listings, facets and statistics, and percolation of
//! stored alerts. [`tender_model`] defines the tender itself.
//!
//! [`IndexStore`] is the entry point to the index, and [`percolate::Percolator`] the entry point to
//! the stored alerts.
//!
//! # Searching
//!
//! A [`ListingRequest`] contains the search text, the filters, the order and the viewer. The
//! resulting [`Listing`] contains a page of tenders, the total, and on request the facet counts.
//!
//! ```
//! use index::{
//!     IndexStore, ListingRequest, LogPosition, StatusCard, Viewer, Sort, TenderFilter,
//! };
//! use tender_model::{
//!     tender::Tender,
//!     vocabulary::{District, Moment, Visibility},
//! };
//! use uuid::Uuid;
//!
//! # let scratch = tempfile::tempdir()?;
//! # let directory = scratch.path();
//! // An index is a directory. A commit records the position in a log of changes.
//! let store = IndexStore::open_or_create(directory)?;
//! let mut writer = store.writer()?;
//! for (number, district) in [(1, "Galle"), (2, "Galle"), (3, "Kandy")] {
//!     let tender: Tender = serde_json::from_str(&format!(
//!         r#"{{"_id": "01939999-0000-7000-8000-00000000000{number}", "title": "Repair of bridges",
//!             "status": "published", "visibility": "premium", "category": "Construction",
//!             "location": {{"district": "{district}"}}, "dates": {{"closing": "2026-12-0{number}"}}}}"#
//!     ))?;
//!     writer.put(&tender)?;
//! }
//! writer.commit(LogPosition { position: 3, change_id: Uuid::from_u128(3) })?;
//!
//! let now: Moment = "2026-11-20T09:00:00+05:30".parse()?;
//! let request = ListingRequest {
//!     text: Some("bridge".into()),
//!     filter: TenderFilter {
//!         districts: vec![District::Galle],
//!         statuses: vec![StatusCard::Live],
//!         ..TenderFilter::default()
//!     },
//!     // A signed-in user without a plan for premium tenders.
//!     viewer: Viewer::Limited { visibility: Visibility::Registered, since: None, account: None },
//!     sort: Sort::Closing,
//!     limit: 1,
//!     facets: Some(10),
//!     ..ListingRequest::default()
//! };
//! let first = store.listing(&request, now)?;
//! assert_eq!(first.total, 2);
//! // A locked tender stays in the listing, but only its stub is returned.
//! assert!(first.tenders[0].lock().is_some());
//! assert_eq!(first.tenders[0].title(), "Repair of bridges");
//!
//! // A filter does not restrict its own facet: there is one tender in Kandy.
//! let facets = first.facets.unwrap_or_default();
//! let count = |wanted| facets.districts.iter().find(|(district, _)| *district == wanted).map(|(_, count)| *count);
//! assert_eq!((count(District::Galle), count(District::Kandy)), (Some(2), Some(1)));
//!
//! // The next page belongs to the same listing, regardless of commits in between.
//! let second = store.listing(&ListingRequest { after: first.next, ..request }, now)?;
//! assert_eq!((second.tenders.len(), second.next), (1, None));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Following a log
//!
//! There is one [`StoreWriter`] at a time. After a restart, continue from [`IndexStore::position`].
//! [`IndexStore::rebuild`] starts a new index beside the current one, and [`StoreRebuild::publish`]
//! switches all readers to the new one. A rebuild fixes a missing, damaged or incompatible index;
//! see [`IndexError::is_fixed_by_rebuild`].

mod analysis;
mod embedded;
mod error;
mod log_position;
pub mod percolate;
pub mod query;
pub mod search;
mod tender_texts;

pub use analysis::{ANALYSIS_VERSION, stem};
pub use embedded::{IndexStore, SCHEMA_VERSION, StoreRebuild, StoreWriter};
pub use error::IndexError;
pub use log_position::LogPosition;
pub use search::{
    AlertMatches, ClosingBand, Duplicate, Facets, IndexRebuild, IndexWriter, Listing, ListingItem,
    ListingRequest, NodeCounts, Period, PublishedBand, SearchEngine, SimilarHit, Snippet, Sort, Stats,
    StatusCard, Suggestion, TenderFilter, TenderLock, TenderStub, ValueBand, ValueRange, Viewer,
};
pub use tender_texts::searched_texts;
