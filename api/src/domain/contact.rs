//! Messages of the contact form.

use uuid::Uuid;

/// A message as it came.
#[derive(Debug, Clone)]
pub struct NewContactMessage<'a> {
    /// Who was signed in.
    pub user_id: Option<Uuid>,
    /// Who writes.
    pub name: &'a str,
    /// Where an answer goes.
    pub email: &'a str,
    /// What it says.
    pub message: &'a str,
    /// The tender, if the message reports a mistake.
    pub tender_id: Option<Uuid>,
    /// Whether the sender's plan includes priority support.
    pub is_priority: bool,
}
