//! Tenders: publishing by their owners, notices that `ingest` sends, and attached documents.

pub mod attachments;
pub mod form;
pub mod notices;
pub mod publishing;
