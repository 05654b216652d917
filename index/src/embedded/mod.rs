//! The embedded engine: a Tantivy index in a directory, read and written by one process.

mod alert_matches;
mod alert_query;
mod cached;
mod candidates;
mod collector;
mod columns;
mod compiled_filter;
mod dictionary;
mod document;
mod facet_counts;
mod field_query;
mod filter_kinds;
mod fuzzy;
mod listing;
mod lookup;
mod name_index;
mod order;
mod pattern_query;
mod ranker;
mod schema;
mod search_context;
mod snapshot;
mod statistics;
mod store;
mod suggest;
mod term_index;
mod text_query;
mod unfiltered;

pub use schema::SCHEMA_VERSION;
pub use store::{IndexStore, StoreRebuild, StoreWriter};
