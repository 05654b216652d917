//! Atom feeds of searches.

pub(crate) mod calendar;
pub(crate) mod listing;
pub(crate) mod saved;
