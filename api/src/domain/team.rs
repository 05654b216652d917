//! Teams: users who share one subscription.

use jiff::Timestamp;
use uuid::Uuid;

/// A member of a team.
#[derive(Debug, Clone)]
pub struct TeamMember {
    /// The user.
    pub id: Uuid,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The mail address, as entered.
    pub email: String,
    /// When the user joined. `None`: the owner.
    pub joined_at: Option<Timestamp>,
}

/// An open invitation to a team.
#[derive(Debug, Clone)]
pub struct TeamInvitation {
    /// Its id.
    pub id: Uuid,
    /// The address it was mailed to.
    pub email: String,
    /// When it was sent.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}
