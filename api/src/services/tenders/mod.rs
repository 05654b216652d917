//! Tenders: publishing by suppliers, newspaper notices that `ingest` sends, and attached documents.

pub(crate) mod attachments;
mod edit_audit;
pub(crate) mod form;
pub(crate) mod moderation;
pub(crate) mod notices;
pub(crate) mod publishing;
