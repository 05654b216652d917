//! Reads the Message-ID of a mail, and the tenders that a mail of alerts lists.

use super::sink::TakenMail;
use mail_parser::MessageParser;

/// The line between the tenders of a mail.
const CARD_LINE: &str = "----------------";

/// A mail as the recipient reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadMail {
    /// The Message-ID without angle brackets.
    pub message_id: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
}

/// A new tender in a mail, with one alert that it matched. Both are named by their marker words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MailedItem {
    /// The marker of the alert.
    pub alert: String,
    /// The marker of the tender.
    pub tender: String,
}

impl ReadMail {
    /// Parses a message.
    pub fn parse(mail: &TakenMail) -> Option<Self> {
        let message = MessageParser::default().parse(mail.content.as_bytes())?;
        Some(Self {
            message_id: message.message_id()?.to_owned(),
            subject: message.subject().unwrap_or_default().to_owned(),
            text: message.body_text(0)?.replace("\r\n", "\n"),
        })
    }

    /// Returns the token of the first link whose path contains `part`.
    pub fn token(&self, part: &str) -> Option<&str> {
        self.text.split_once(part)?.1.split_once("token=")?.1.split_whitespace().next()
    }

    /// Returns the new tenders in the mail. A tender is named by the first word of its title, an
    /// alert by its whole name.
    pub fn new_tenders(&self) -> Vec<MailedItem> {
        let mut items = Vec::new();
        for card in self.text.split(CARD_LINE) {
            let Some(tender) = card.lines().find_map(super::words::marker_of_title) else { continue };
            for line in card.lines() {
                let reason = line.strip_prefix("Why you get this: your alert “");
                if let Some((alert, _)) = reason.and_then(|rest| rest.split_once('”')) {
                    items.push(MailedItem { alert: alert.to_owned(), tender: tender.to_owned() });
                }
            }
        }
        items
    }

    /// Whether the mail leaves out tenders, because it has too many.
    pub fn leaves_out_tenders(&self) -> bool {
        self.text.contains(" more")
    }
}
