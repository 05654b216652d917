//! What a tender is and how it is found: the domain types that every crate shares, the vocabulary, the text
//! normaliser, the Tantivy index with search and statistics, and percolation of stored alerts. This crate knows no
//! SQL, no HTTP and no OCR.

pub mod alert;
mod catalogue;
mod document;
pub mod percolate;
pub mod query;
pub mod tender;
pub mod text;
pub mod vocabulary;

pub use catalogue::LogPosition;
