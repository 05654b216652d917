//! API keys.

use jiff::Timestamp;
use uuid::Uuid;

/// A key without its secret.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Its row.
    pub id: Uuid,
    /// As its maker calls it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// What it may be used for, as `auth::api_key::Scope` writes it.
    pub scopes: Vec<String>,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was used last, to the minute.
    pub last_used_at: Option<Timestamp>,
}
