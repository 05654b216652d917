//! Files attached to tenders.

use uuid::Uuid;

/// A document's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// UUIDv7.
    pub id: Uuid,
    /// What it is attached to.
    pub tender_id: Uuid,
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// The name it is saved under.
    pub name: String,
    /// As in a `Content-Type` header.
    pub media_type: String,
    /// Bytes.
    pub size: i64,
    /// What it says, where it could be read.
    pub text: Option<String>,
}
