//! Messages of the contact form.

use jiff::Timestamp;
use std::{fmt, str::FromStr};
use tender_model::vocabulary::TenderStatus;
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

/// A message as administrators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactMessage {
    /// Its id.
    pub id: Uuid,
    /// When it was sent.
    pub at: Timestamp,
    /// The sender's account, if the sender was signed in.
    pub user_id: Option<Uuid>,
    /// The sender's name.
    pub name: String,
    /// The sender's address, for replies.
    pub email: String,
    /// The text.
    pub message: String,
    /// Whether the sender's plan includes priority support.
    pub is_priority: bool,
    /// The tender, if the message reports a mistake in one.
    pub tender: Option<ReportedTender>,
    /// When it was marked as answered.
    pub answered_at: Option<Timestamp>,
    /// The present mail address of the administrator who marked it as answered.
    pub answered_by: Option<String>,
    /// A note for other administrators.
    pub note: Option<String>,
}

impl ContactMessage {
    /// The position of the message in a list.
    #[must_use]
    pub const fn cursor(&self) -> MessageCursor {
        MessageCursor { is_priority: self.is_priority, id: self.id }
    }
}

/// A tender in which a message reports a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedTender {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: TenderStatus,
}

/// Which messages are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// Only answered messages, or only open ones.
    pub is_answered: bool,
    /// A part of the name, the address or the text.
    pub search: Option<String>,
}

/// The position of a message in a list. As a text: `priority:` for a message with priority, and the
/// id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageCursor {
    /// Whether the message has priority.
    pub is_priority: bool,
    /// The id of the message.
    pub id: Uuid,
}

const PRIORITY_PREFIX: &str = "priority:";

impl fmt::Display for MessageCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_priority { PRIORITY_PREFIX } else { "" }, self.id)
    }
}

impl FromStr for MessageCursor {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        let (is_priority, id) = match text.strip_prefix(PRIORITY_PREFIX) {
            Some(id) => (true, id),
            None => (false, text),
        };
        Ok(Self { is_priority, id: Uuid::try_parse(id)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        for is_priority in [true, false] {
            let cursor = MessageCursor { is_priority, id: Uuid::from_u128(7) };
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        assert!("priority:".parse::<MessageCursor>().is_err());
    }
}
