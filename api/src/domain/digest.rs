//! Digests: messages about tenders. Their content is composed when they are sealed.

use crate::domain::{channel::Channel, frequency::Frequency};
use index::percolate::MatchReason;
use jiff::civil;
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr};
use tender_model::{tender::Tender, vocabulary::Language};
use uuid::Uuid;

/// What a digest is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum DigestKind {
    /// Matches of alerts.
    Alerts,
    /// Changes of saved tenders, and reminders of their closing.
    Saved,
    /// The weekly summary of new tenders.
    Summary,
    /// A monthly report.
    Report,
}

impl DigestKind {
    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why a tender is in a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestReason {
    /// The tender matched the alert.
    New,
    /// The revision with this number changed a fact that recipients are notified of.
    Change(i64),
    /// The tender closes on this day. The number says how many days before that day the reminder
    /// is due: three or one.
    Closes(civil::Date, i8),
}

impl DigestReason {
    /// Returns the stored text.
    #[must_use]
    pub fn to_stored(self) -> String {
        match self {
            Self::New => "new".to_owned(),
            Self::Change(revision) => format!("change:{revision}"),
            Self::Closes(day, before) => format!("closes:{day}:{before}"),
        }
    }

    /// Parses the stored text. `None` if it is unknown.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        match text.split(':').collect::<Vec<_>>().as_slice() {
            ["new"] => Some(Self::New),
            ["change", revision] => revision.parse().ok().map(Self::Change),
            ["closes", day, before] => Some(Self::Closes(day.parse().ok()?, before.parse().ok()?)),
            _ => None,
        }
    }
}

/// A tender in a digest, without the data that messages do not show.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestItem {
    /// The alert that matched. `None`: the recipient has saved the tender.
    pub alert: Option<ItemAlert>,
    /// The tender at the item's revision.
    pub tender: Tender,
    /// The tender before the change, if the item reports a change.
    pub before: Option<Tender>,
    /// Why the tender is in the digest.
    pub reason: DigestReason,
}

/// The alert of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemAlert {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The keyword that matched.
    pub keyword: String,
}

/// The text in which a keyword was found, at the revision that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// The keyword and the field it was found in.
    pub why: MatchReason,
    /// The text, shared between all matches in it.
    pub text: Arc<str>,
}

/// A digest that is due to be sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDigest {
    /// Its id, which is also part of the message id.
    pub id: Uuid,
    /// What it is about.
    pub kind: DigestKind,
    /// The channel.
    pub channel: Channel,
    /// The frequency. `None`: the digest is a monthly report.
    pub frequency: Option<Frequency>,
    /// The recipient.
    pub user_id: Uuid,
    /// The recipient's first name.
    pub first_name: String,
    /// The recipient's language.
    pub language: Language,
}
