//! Saved searches.

use jiff::Timestamp;
use uuid::Uuid;

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSearch {
    /// UUIDv7.
    pub id: Uuid,
    /// Whose it is.
    pub user_id: Uuid,
    /// As its owner calls it.
    pub name: String,
    /// The query string of `GET /tenders` without the page.
    pub query: String,
    /// The secret in the URL of its feed.
    pub feed_key: String,
    /// Since when.
    pub created_at: Timestamp,
}
