//! Search on an OpenSearch cluster, for portals that have outgrown one machine. All processes of a
//! portal share its index.
//!
//! [`OpenSearchEngine`] implements [`index::SearchEngine`]. Texts are normalised and stemmed here, not
//! in the cluster, and queries are planned by the crate `index`. The engine therefore finds the same
//! tenders as the embedded one. Only the order by relevance differs slightly.
//!
//! The index of a portal is an alias. It points to an index with a number, and after a rebuild to the
//! one with the next number. See `document` for the fields, `mapping` for how they are indexed, and `writer`
//! for what happens when a request fails.

mod alert_matches;
mod cluster;
mod document;
mod engine;
mod facets;
mod filters;
mod listing;
mod mapping;
mod node;
mod order;
pub mod percolator;
mod similarity;
mod suggestions;
mod terms;
mod text_query;
mod writer;

pub use cluster::ClusterConfig;
pub use engine::OpenSearchEngine;
