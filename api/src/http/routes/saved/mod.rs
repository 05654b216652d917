//! Saved tenders and saved searches.

pub(crate) mod searches;
pub(crate) mod tenders;
