//! API keys.

use jiff::Timestamp;
use uuid::Uuid;

/// An API key without its secret.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Its id.
    pub id: Uuid,
    /// The name that its creator chose.
    pub name: String,
    /// The first characters of its secret.
    pub prefix: String,
    /// Its scopes, as named in the API.
    pub scopes: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}
