//! What a tender is and how it is found: the domain types that every crate shares, the vocabulary, the text
//! normaliser, the Tantivy index with search and statistics, and percolation of stored alerts. This crate knows no
//! SQL, no HTTP and no OCR.
//!
//! [`Catalogue`] is the door to the index, [`percolate::Percolator`] the one to the stored alerts.

pub mod alert;
mod catalogue;
mod document;
mod hash;
pub mod percolate;
pub mod query;
mod schema;
pub mod search;
pub mod tender;
pub mod text;
pub mod vocabulary;

pub use catalogue::{Catalogue, IndexError, LogPosition, Rebuild, Writer};
pub use schema::{ANALYSIS_VERSION, SCHEMA_VERSION};
pub use search::{
    ClosingBand, Duplicate, Facets, Grounds, LIKELY_DUPLICATE, Listed, Listing, ListingRequest, Lock,
    Matching, Only, Period, PublishedBand, Reader, ReferenceLikeness, Similar, Snippet, Sort, Stats, Stub,
    Suggestion, TenderFilter, ValueBand, ValueRange, likeness,
};
