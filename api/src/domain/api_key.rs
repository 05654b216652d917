//! API keys.

use jiff::Timestamp;
use uuid::Uuid;

/// An API key without its secret.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Its row.
    pub id: Uuid,
    /// As its maker calls it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// Its scopes, in the words of the API.
    pub scopes: Vec<String>,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}
