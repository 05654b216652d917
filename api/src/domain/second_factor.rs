//! Second factors: an authenticator app (TOTP), passkeys and recovery codes.

use jiff::Timestamp;
use uuid::Uuid;

/// The second factors that a user has set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactors {
    /// When the authenticator app was set up.
    pub totp_since: Option<Timestamp>,
    /// The passkeys, oldest first.
    pub passkeys: Vec<ListedPasskey>,
    /// The number of recovery codes that were not used.
    pub recovery_codes_left: i64,
}

impl SecondFactors {
    /// Whether a sign-in needs a second factor.
    #[must_use]
    pub fn are_set_up(&self) -> bool {
        self.totp_since.is_some() || !self.passkeys.is_empty()
    }
}

/// A passkey, as listed for its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPasskey {
    /// Its id.
    pub id: Uuid,
    /// The name that the user chose.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used for a sign-in.
    pub used_at: Option<Timestamp>,
}

/// A sign-in whose first factor was proved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingSignIn {
    /// The browser.
    pub user_agent: Option<String>,
    /// Whether the session outlasts the browser.
    pub is_remembered: bool,
    /// Whether the password was shorter than administrators and reviewers need.
    pub has_short_password: bool,
}

/// What a right answer to a challenge does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChallengePurpose {
    /// It begins a session.
    SignIn(PendingSignIn),
    /// It proves the second factor in this open session.
    OpenSession(Uuid),
}

/// A challenge to prove a second factor.
#[derive(Debug, Clone)]
pub struct StoredChallenge<State> {
    /// The user.
    pub user_id: Uuid,
    /// What a right answer does.
    pub purpose: ChallengePurpose,
    /// The challenge for the user's passkeys. `None`: the user has no passkeys.
    pub passkey_state: Option<State>,
    /// When the challenge expires.
    pub expires_at: Timestamp,
}
