//! Saved searches.

use jiff::Timestamp;
use uuid::Uuid;

/// A saved search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSearch {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The owner.
    pub user_id: Uuid,
    /// The name that its owner chose.
    pub name: String,
    /// The query string of `GET /tenders`, without the page number.
    pub query: String,
    /// The secret in the URL of the search's feed.
    pub feed_key: String,
    /// When it was created.
    pub created_at: Timestamp,
}
