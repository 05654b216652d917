//! Saved tenders and saved searches.

pub mod searches;
pub mod tenders;
