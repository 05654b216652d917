//! Files attached to tenders, and their limits.

use uuid::Uuid;

/// The maximum size of a document, in bytes.
pub const MAX_DOCUMENT_BYTES: u64 = 20 << 20;
/// The maximum number of documents of a tender.
pub const MAX_DOCUMENTS_PER_TENDER: usize = 10;
/// The maximum total size of the documents of an account, in bytes.
pub const MAX_DOCUMENT_BYTES_PER_ACCOUNT: u64 = 1 << 30;

/// The maximum number of documents that a user can upload on one day.
pub const MAX_DOCUMENTS_PER_DAY: i32 = 100;

/// A file that is attached to a tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The tender it is attached to.
    pub tender_id: Uuid,
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// The name of the file.
    pub name: String,
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The size in bytes.
    pub size: i64,
    /// The text it contains, if it was read already and could be read.
    pub text: Option<String>,
    /// Whether its text has still to be read.
    pub awaits_text: bool,
}

/// A document whose text has still to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadDocument {
    /// The id.
    pub id: Uuid,
    /// The tender it is attached to.
    pub tender_id: Uuid,
    /// The hash of its file.
    pub hash: String,
}
