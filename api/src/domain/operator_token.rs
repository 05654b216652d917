//! Operator tokens, with which `ingest` and other programs of the operator authenticate.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use strum::{EnumString, IntoStaticStr, VariantNames};
use utoipa::ToSchema;
use uuid::Uuid;

/// The prefix of every operator token. It makes leaked tokens easy to recognise.
pub const TOKEN_PREFIX: &str = "operator_";

/// The lifetime of a new token in days, unless another one is requested.
pub const DEFAULT_LIFETIME_DAYS: u32 = 365;

/// The maximum lifetime of a token in days.
pub const MAX_LIFETIME_DAYS: u32 = 3650;

/// What an operator token permits.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TokenScope {
    /// Publishing notices.
    Publish,
    /// Listing notices in review and deciding about them.
    Review,
    /// Reading the pages that were handed to the portal.
    Work,
    /// Reporting bounces and complaints.
    Bounces,
    /// Tracing the messages about a tender.
    Trace,
}

impl TokenScope {
    /// The scopes that `ingest` needs.
    pub const OF_INGEST: [Self; 2] = [Self::Publish, Self::Work];

    /// All scopes.
    pub const ALL: [Self; 5] = [Self::Publish, Self::Review, Self::Work, Self::Bounces, Self::Trace];

    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Whether an operator token can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenState {
    /// It can be used.
    Live,
    /// It has expired.
    Expired,
    /// It was revoked.
    Revoked,
}

/// An operator token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorToken {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// What it permits.
    pub scopes: Vec<TokenScope>,
    /// When it was created.
    pub created_at: Timestamp,
    /// From when it is refused. `None`: it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl OperatorToken {
    /// Whether the token can be used at this time.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> TokenState {
        if self.revoked_at.is_some() {
            TokenState::Revoked
        } else if self.expires_at.is_some_and(|at| at <= now) {
            TokenState::Expired
        } else {
            TokenState::Live
        }
    }
}

/// A token to create.
#[derive(Debug, Clone)]
pub struct TokenRequest {
    /// The name, as entered.
    pub name: String,
    /// What the token permits.
    pub scopes: BTreeSet<TokenScope>,
    /// After how many days the token expires. `None`: never.
    pub lifetime_days: Option<u32>,
}
