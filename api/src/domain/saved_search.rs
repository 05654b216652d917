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
    /// What `GET /tenders` is asked, without its page.
    pub query: String,
    /// Opens its feed to whoever has it.
    pub feed_key: String,
    /// Since when.
    pub created_at: Timestamp,
}
