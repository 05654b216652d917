//! Feeds: searches that a feed reader asks for again and again.

pub mod listing;
pub mod saved;
