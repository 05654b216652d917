//! Alerts as their owners see them.

use crate::domain::{channel::DirectChannel, frequency::Frequency};
use index::{alert::AlertQuery, percolate::MatchReason, tender::Tender, vocabulary::Day};
use jiff::{Timestamp, civil};
use uuid::Uuid;

/// An alert as its owner saves it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAlert {
    /// 1 to 100 characters.
    pub name: String,
    /// At most 500 characters.
    pub description: Option<String>,
    /// What it asks.
    pub query: AlertQuery,
    /// How its matches are mailed.
    pub email: EmailSettings,
    /// What else they go by.
    pub channels: Vec<DirectChannel>,
}

/// How an alert's matches are mailed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSettings {
    /// False: matches are recorded, and nothing is sent.
    pub enabled: bool,
    /// How often.
    pub frequency: Frequency,
    /// Another address than its owner's; mail goes there only once it is verified.
    pub custom_email: Option<String>,
    /// When the daily mail leaves, in Colombo.
    pub daily_summary_time: civil::Time,
}

impl Default for EmailSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            frequency: Frequency::Immediate,
            custom_email: None,
            daily_summary_time: civil::time(9, 0, 0, 0),
        }
    }
}

/// An alert as it stands, with what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAlert {
    /// UUIDv7.
    pub id: Uuid,
    /// As its owner saved it.
    pub alert: NewAlert,
    /// The first name of who made it, where that is another of the user's team.
    pub made_by: Option<String>,
    /// Whether it asks anything.
    pub is_active: bool,
    /// Whether the reader of the address that its mails go to has confirmed it.
    pub has_confirmed_address: bool,
    /// Of the channels besides mail, those that it does not reach its owner by: no confirmed telephone, or no webhook that works.
    pub silent: Vec<DirectChannel>,
    /// Tenders matched, ever.
    pub matches: i64,
    /// Mails sent that told of one of them.
    pub mails: i64,
    /// When the last one matched.
    pub matched_at: Option<Timestamp>,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// When it was saved last.
    pub updated_at: Timestamp,
}

/// How many tenders one alert matched on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyMatches {
    /// In Colombo.
    pub day: Day,
    /// The alert.
    pub alert_id: Uuid,
    /// Tenders.
    pub matches: i64,
}

/// A match as the alert's owner looks at it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenMatch {
    /// The tender.
    pub tender_id: Uuid,
    /// The tender's record as it matched.
    pub tender: Tender,
    /// The keyword and its place.
    pub why: MatchReason,
    /// When it matched.
    pub at: Timestamp,
    /// Its owner said that it does not belong there.
    pub is_irrelevant: bool,
}
