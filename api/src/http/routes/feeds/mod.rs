//! Atom feeds of searches.

pub mod listing;
pub mod saved;
