//! Digests: messages that collect tenders until they are sealed.

use crate::domain::{channel::Channel, frequency::Frequency};
use index::{percolate::MatchReason, tender::Tender, vocabulary::Language};
use jiff::civil;
use std::sync::Arc;
use strum::EnumString;
use uuid::Uuid;

/// What a message that collects is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum DigestKind {
    /// What alerts have matched.
    Alerts,
    /// What happens to saved tenders.
    Saved,
    /// The newest tenders of a week.
    Summary,
    /// A report of a month.
    Report,
}

/// Why a tender is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestReason {
    /// It matched.
    New,
    /// A revision changed what whoever knows of it must hear.
    Change(i64),
    /// It closes on a day, three days or one from now.
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

    /// From its stored word. `None` for any other.
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

/// What one message says of one tender. Of the tenders, only what a list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestItem {
    /// The alert; `None`: its reader has saved the tender.
    pub alert: Option<ItemAlert>,
    /// The tender at the item's revision.
    pub tender: Tender,
    /// At the revision before, for a change.
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

/// The text in which a match was found, as it stood when it matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// The keyword and its place.
    pub why: MatchReason,
    /// The text; matches in one share it.
    pub text: Arc<str>,
}

/// An open message whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDigest {
    /// Its id, from which the Message-ID is made.
    pub id: Uuid,
    /// What it is about.
    pub kind: DigestKind,
    /// By which channel it goes.
    pub channel: Channel,
    /// How often it goes; `None` for a monthly report.
    pub frequency: Option<Frequency>,
    /// Its reader.
    pub user_id: Uuid,
    /// The reader's first name.
    pub first_name: String,
    /// What the reader reads.
    pub language: Language,
}
