//! Alerts, their mail settings and their matches.

use crate::domain::{channel::DirectChannel, frequency::Frequency};
use index::percolate::MatchReason;
use jiff::{Timestamp, civil};
use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::Day};
use uuid::Uuid;

/// An alert without a match or a change for this many days is silent.
pub const SILENT_DAYS: u16 = 60;

/// An alert as its owner saves it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAlert {
    /// The name, 1 to 100 characters.
    pub name: String,
    /// The description, at most 500 characters.
    pub description: Option<String>,
    /// The filters and keywords that a tender must match.
    pub query: AlertQuery,
    /// The mail settings.
    pub email: EmailSettings,
    /// The channels besides mail.
    pub channels: Vec<DirectChannel>,
}

/// The mail settings of an alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSettings {
    /// If false, matches are recorded but not mailed.
    pub enabled: bool,
    /// How often mails are sent.
    pub frequency: Frequency,
    /// The address that gets the mails instead of the owner's address. No mail is sent until it is
    /// confirmed.
    pub custom_email: Option<String>,
    /// The time of the daily mail, in Colombo time.
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

/// A stored alert with its results.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAlert {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The alert as saved.
    pub alert: NewAlert,
    /// The first name of the alert's owner, if the owner is another user of the viewer's team.
    pub made_by: Option<String>,
    /// If false, the alert matches nothing.
    pub is_active: bool,
    /// Whether the address that gets the mails is confirmed.
    pub has_confirmed_address: bool,
    /// Channels besides mail that do not reach the owner of an active alert, because no telephone
    /// is confirmed or no webhook works.
    pub silent: Vec<DirectChannel>,
    /// How many tenders the alert has matched.
    pub matches: i64,
    /// How many mails about matches of the alert were sent.
    pub mails: i64,
    /// When the last tender matched.
    pub matched_at: Option<Timestamp>,
    /// When the alert was created.
    pub created_at: Timestamp,
    /// When the alert was last changed.
    pub updated_at: Timestamp,
}

impl StoredAlert {
    /// Since when the alert has matched nothing and was not changed, if it is silent: active, and so
    /// since before the given moment.
    #[must_use]
    pub fn silent_since(&self, before: Timestamp) -> Option<Timestamp> {
        let since = self.matched_at.map_or(self.updated_at, |at| at.max(self.updated_at));
        Some(since).filter(|since| self.is_active && *since < before)
    }
}

/// How many tenders an alert matched on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyMatches {
    /// The day in Colombo time.
    pub day: Day,
    /// The alert.
    pub alert_id: Uuid,
    /// The number of tenders.
    pub matches: i64,
}

/// One of the newest matches of a user's alerts, with the tender.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentMatch {
    /// The alert that matched.
    pub alert_id: Uuid,
    /// The name of the alert.
    pub alert_name: String,
    /// The current record of the tender.
    pub tender: Tender,
    /// The excerpt's place in the record that matched, and the keyword.
    pub why: MatchReason,
    /// Whether the current record is the one that matched.
    pub is_current: bool,
    /// When the tender matched.
    pub at: Timestamp,
}

/// A match of an alert, with the tender.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertMatch {
    /// The tender.
    pub tender_id: Uuid,
    /// The tender's record at the revision that matched.
    pub tender: Tender,
    /// The keyword and the field it was found in.
    pub why: MatchReason,
    /// When the tender matched.
    pub at: Timestamp,
    /// Whether a user marked the match as irrelevant.
    pub is_irrelevant: bool,
}
