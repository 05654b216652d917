//! Reads the Message-ID of a mail, and the tenders that a mail of alerts lists.

use super::sink::TakenMail;
use mail_parser::MessageParser;

/// The line between the tenders of a mail.
const CARD_LINE: &str = "----------------";
/// What a daily mail says about its new tenders.
pub(super) const SINCE_THE_LAST: &str = "since the last mail";

/// A mail as the recipient reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadMail {
    /// The Message-ID without angle brackets.
    pub message_id: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The new tenders that the mail lists.
    pub new_tenders: Vec<MailedItem>,
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
        let text = message.body_text(0)?.replace("\r\n", "\n");
        Some(Self {
            message_id: message.message_id()?.to_owned(),
            subject: message.subject().unwrap_or_default().to_owned(),
            new_tenders: new_tenders(&text),
            text,
        })
    }

    /// Returns the token of the first link whose path contains `part`.
    pub fn token(&self, part: &str) -> Option<&str> {
        self.text.split_once(part)?.1.split_once("token=")?.1.split_whitespace().next()
    }

    /// Whether the mail says that it collects the new tenders of some time.
    pub fn is_digest(&self) -> bool {
        self.text.contains(SINCE_THE_LAST)
    }

    /// Whether the mail leaves out tenders, because it has too many.
    pub fn leaves_out_tenders(&self) -> bool {
        self.text.contains(" more")
    }
}

/// Finds the new tenders in the text of a mail. A tender is named by the first word of its title, an alert by
/// its whole name.
fn new_tenders(text: &str) -> Vec<MailedItem> {
    let mut items = Vec::new();
    for card in text.split(CARD_LINE) {
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
