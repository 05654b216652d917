//! Sessions and their refresh tokens.

use jiff::Timestamp;
use uuid::Uuid;

/// How well the user proved at the sign-in who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInStrength {
    /// Whether a second factor was proved.
    pub has_second_factor: bool,
    /// Whether the password was shorter than administrators and reviewers need.
    pub has_short_password: bool,
}

/// A stored session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// Whether the session outlasts the browser.
    pub is_remembered: bool,
    /// When it ends, unless its tokens are renewed before.
    pub expires_at: Timestamp,
    /// When it ends in any case.
    pub ends_at: Timestamp,
    /// When it was signed out.
    pub ended_at: Option<Timestamp>,
}

impl Session {
    /// Whether the session has neither expired nor been signed out.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.ended_at.is_none() && self.expires_at > now
    }
}

/// A stored refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Its id.
    pub id: Uuid,
    /// When the token was exchanged, and the id of the token it was exchanged for. Tokens that were
    /// exchanged by an earlier version have no successor.
    pub exchange: Option<(Timestamp, Option<Uuid>)>,
}

/// An open session, as listed for its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// Its id.
    pub id: Uuid,
    /// The user agent of the browser at sign-in.
    pub user_agent: Option<String>,
    /// When the user signed in.
    pub begun_at: Timestamp,
    /// When its tokens were last renewed.
    pub used_at: Timestamp,
}
