//! Digests: messages that collect tenders until they are sealed.

use crate::domain::{channel::Channel, frequency::Frequency};
use index::{percolate::MatchReason, tender::Tender, vocabulary::Language};
use jiff::civil;
use std::sync::Arc;
use strum::EnumString;
use uuid::Uuid;

/// What a digest is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum DigestKind {
    /// Matches of alerts.
    Alerts,
    /// Changes and closings of saved tenders.
    Saved,
    /// The newest tenders of a week.
    Summary,
    /// A report of a month.
    Report,
}

/// Why a tender is in a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestReason {
    /// It matched.
    New,
    /// A revision changed something that readers must hear of.
    Change(i64),
    /// It closes on a day, in three days or one.
    Closes(civil::Date, i8),
}

impl DigestReason {
    /// As stored.
    #[must_use]
    pub fn to_word(self) -> String {
        match self {
            Self::New => "new".to_owned(),
            Self::Change(revision) => format!("change:{revision}"),
            Self::Closes(day, before) => format!("closes:{day}:{before}"),
        }
    }

    /// Reads a stored word. `None`: it is unknown.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word.split(':').collect::<Vec<_>>().as_slice() {
            ["new"] => Some(Self::New),
            ["change", revision] => revision.parse().ok().map(Self::Change),
            ["closes", day, before] => Some(Self::Closes(day.parse().ok()?, before.parse().ok()?)),
            _ => None,
        }
    }
}

/// A tender in a digest. The tender holds only what a list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestItem {
    /// The alert. `None`: the reader has saved the tender.
    pub alert: Option<ItemAlert>,
    /// The tender at the item's revision.
    pub tender: Tender,
    /// The tender at the revision before, for a change.
    pub before: Option<Tender>,
    /// Why it is told of.
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

/// The text in which a match was found, as it was when it matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// The keyword and the field it was found in.
    pub why: MatchReason,
    /// The text. Matches in the same text share it.
    pub text: Arc<str>,
}

/// An open message that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDigest {
    /// Its id, which also makes the Message-ID.
    pub id: Uuid,
    /// What it is about.
    pub kind: DigestKind,
    /// The channel.
    pub channel: Channel,
    /// The frequency. `None`: a monthly report.
    pub frequency: Option<Frequency>,
    /// Its reader.
    pub user_id: Uuid,
    /// The reader's first name.
    pub first_name: String,
    /// What the reader reads.
    pub language: Language,
}
