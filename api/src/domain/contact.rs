//! Messages of the contact form.

use uuid::Uuid;

/// A new message from the contact form.
#[derive(Debug, Clone)]
pub struct NewContactMessage<'a> {
    /// The sender's account, if the sender was signed in.
    pub user_id: Option<Uuid>,
    /// The sender's name.
    pub name: &'a str,
    /// The sender's address, for replies.
    pub email: &'a str,
    /// The text of the message.
    pub message: &'a str,
    /// The tender, if the message reports a mistake in one.
    pub tender_id: Option<Uuid>,
    /// Whether the sender's plan includes priority support.
    pub is_priority: bool,
}
