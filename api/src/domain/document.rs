//! Files attached to tenders.

use uuid::Uuid;

/// A document's file.
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
    /// The value of the `Content-Type` header.
    pub media_type: String,
    /// The size in bytes.
    pub size: i64,
    /// The text it contains, if it could be read.
    pub text: Option<String>,
}
