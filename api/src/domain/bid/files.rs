//! Files that a team keeps with a bid.

use super::Person;
use jiff::Timestamp;
use uuid::Uuid;

/// The maximum number of files of a bid.
pub const MAX_FILES: usize = 50;

/// A file of a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidFile {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// The name of the file.
    pub name: String,
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The size in bytes.
    pub size: i64,
    /// Who uploaded it. `None`: the account was deleted.
    pub uploader: Option<Person>,
    /// When it was uploaded.
    pub created_at: Timestamp,
}

/// A file to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBidFile {
    /// SHA-256 of its bytes, in 64 hex digits.
    pub hash: String,
    /// The name of the file.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub size: i64,
}
