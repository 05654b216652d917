//! What users come back to: tenders they keep an eye on, and searches.

pub mod searches;
pub mod tenders;
