//! What waits for the people who work for the portal.

use jiff::Timestamp;
use serde::Serialize;
use strum::{EnumIter, EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// A kind of work on the desk.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema, EnumIter, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[schema(as = OperatorTaskName)]
pub enum OperatorTask {
    /// Notices in review.
    Review,
    /// Newspapers of which nothing was read by their hour today.
    Gaps,
    /// Newspaper pages that no worker could read.
    Pages,
    /// Names that are proposed for the gazetteer.
    Names,
    /// Tenders of new publishers that wait for a check.
    Publications,
    /// Open messages of the contact form.
    Messages,
    /// Messages to users that were given up and can be sent again.
    Mails,
    /// Payment events that were not applied.
    Payments,
}

impl OperatorTask {
    /// Whether a reviewer may do this work.
    #[must_use]
    pub const fn is_for_reviewers(self) -> bool {
        matches!(self, Self::Review | Self::Gaps | Self::Pages)
    }
}

/// How much of a kind of work waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingWork {
    /// The kind of work.
    pub task: OperatorTask,
    /// The number of items.
    pub waiting: i64,
    /// Since when the oldest item waits. `None`: there are no items, or their age is not known.
    pub oldest_since: Option<Timestamp>,
}
