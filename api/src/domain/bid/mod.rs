//! The bid board: bids by stage, with their notes, tasks and history.

pub mod checklist;
pub mod files;
pub mod reminders;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::{
    tender::Tender,
    vocabulary::{Amount, Day},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of open bids of an account, whatever its plan.
pub const MAX_OPEN_BIDS: i64 = 300;
/// The maximum number of listed bids of a stage in which bids are closed.
pub const MAX_LISTED_CLOSED: i64 = 100;
/// The maximum number of notes of a bid.
pub const MAX_NOTES: i64 = 200;
/// The maximum number of characters of a note.
pub const MAX_NOTE_LENGTH: usize = 4000;
/// The maximum number of tasks of a bid.
pub const MAX_TASKS: i64 = 100;
/// The maximum number of characters of the title of a task.
pub const MAX_TITLE_LENGTH: usize = 200;
/// The number of events that the history of a bid keeps.
pub const MAX_EVENTS: i32 = 300;

/// How far a bid is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum BidStage {
    /// The account intends to bid and has not begun.
    Considering,
    /// The bid is being prepared.
    Preparing,
    /// The bid is submitted, and the result is not known.
    Submitted,
    /// The account got the contract.
    Won,
    /// Somebody else got the contract.
    Lost,
    /// The account does not bid.
    Dropped,
}

impl BidStage {
    /// All stages, in the order of the board.
    pub const ALL: [Self; 6] =
        [Self::Considering, Self::Preparing, Self::Submitted, Self::Won, Self::Lost, Self::Dropped];

    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a bid in this stage counts for the limit of open bids.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Considering | Self::Preparing | Self::Submitted)
    }

    /// Whether a bid in this stage can still be given up without leaving a trace outside the portal.
    #[must_use]
    pub const fn is_before_submission(self) -> bool {
        matches!(self, Self::Considering | Self::Preparing)
    }
}

/// A user who works with a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The user's id.
    pub id: Uuid,
    /// The given and the family name.
    pub name: String,
}

/// A bid of an account for a tender.
#[derive(Debug, Clone, PartialEq)]
pub struct Bid {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// How far it is.
    pub stage: BidStage,
    /// Who takes care of it.
    pub owner: Option<Person>,
    /// The value in rupees.
    pub value: Option<Amount>,
    /// The number of changes, from 1.
    pub version: i32,
    /// The current state of the tender, with only the fields that a board shows.
    pub tender: Tender,
    /// The account that published the tender.
    pub publisher_id: Option<Uuid>,
    /// The number of tasks.
    pub tasks: i64,
    /// The number of tasks that are done.
    pub done_tasks: i64,
    /// The number of notes.
    pub notes: i64,
    /// When the bid was added to the board.
    pub created_at: Timestamp,
    /// When the stage, the owner or the value last changed.
    pub updated_at: Timestamp,
}

/// What a change of a bid needs to know. The row is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedBid {
    /// The tender's id.
    pub tender_id: Uuid,
    /// How far it is.
    pub stage: BidStage,
    /// Who takes care of it.
    pub owner_id: Option<Uuid>,
    /// The value in rupees.
    pub value: Option<Amount>,
    /// The number of changes.
    pub version: i32,
}

/// The bid of an account for one tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BidReference {
    /// The bid's id.
    pub id: Uuid,
    /// How far it is.
    pub stage: BidStage,
}

/// A note on a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidNote {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// Who wrote it. `None`: the account was deleted.
    pub author: Option<Person>,
    /// The text, with line breaks.
    pub text: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// What has to be done for a task of a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskContent {
    /// The title.
    pub title: String,
    /// The last day on which it can be done.
    pub due: Option<Day>,
    /// Who does it.
    pub assignee_id: Option<Uuid>,
}

/// A task of a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidTask {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// The last day on which it can be done.
    pub due: Option<Day>,
    /// Who does it.
    pub assignee: Option<Person>,
    /// When it was done. `None`: it is not done.
    pub done_at: Option<Timestamp>,
}

/// A task of a board that is due on a day and not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueTask {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// The last day on which it can be done.
    pub due: Day,
    /// Who does it.
    pub assignee: Option<Person>,
    /// The bid that it belongs to.
    pub bid_id: Uuid,
    /// How far the bid is.
    pub stage: BidStage,
    /// The tender of the bid.
    pub tender_id: Uuid,
    /// The tender's title.
    pub tender_title: String,
    /// The name of the organisation.
    pub organization: String,
}

/// What happened to a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum BidEventKind {
    /// It was added to the board.
    Added,
    /// It was moved to another stage.
    Moved,
    /// It was assigned to a user, or to nobody.
    Assigned,
    /// Its value was changed.
    Valued,
    /// A note was added.
    NoteAdded,
    /// A note was deleted.
    NoteDeleted,
    /// A task was added.
    TaskAdded,
    /// The title, the day or the assignee of a task was changed.
    TaskChanged,
    /// A task was done.
    TaskDone,
    /// A task was found not to be done.
    TaskReopened,
    /// A task was deleted.
    TaskDeleted,
    /// A row was added to the checklist.
    RowAdded,
    /// An added row of the checklist was deleted.
    RowDeleted,
    /// A row of the checklist was ticked.
    RowTicked,
    /// The tick of a row of the checklist was removed.
    RowReopened,
    /// A file was added.
    FileAdded,
    /// A file was deleted.
    FileDeleted,
}

/// An event to store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventDetails {
    /// The stage or the value before the event, or the kind of the row of the checklist.
    pub before: Option<String>,
    /// The stage or the value after the event, or the title of the task, the row or the file.
    pub after: Option<String>,
    /// Who the bid was assigned to.
    pub subject_id: Option<Uuid>,
}

/// An entry of the history of a bid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidEvent {
    /// When it happened.
    pub at: Timestamp,
    /// Who did it. `None`: the account was deleted.
    pub actor: Option<Person>,
    /// What happened.
    pub kind: BidEventKind,
    /// The stage or the value before the event, or the kind of the row of the checklist.
    pub before: Option<String>,
    /// The stage or the value after the event, or the title of the task, the row or the file.
    pub after: Option<String>,
    /// Who the bid was assigned to.
    pub subject: Option<Person>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_read_as_they_are_written() {
        for stage in BidStage::ALL {
            assert_eq!(stage.as_str().parse(), Ok(stage));
            assert_eq!(serde_json::to_value(stage).unwrap(), stage.as_str());
        }
        assert!("considered".parse::<BidStage>().is_err());
    }

    #[test]
    fn open_bids_are_those_whose_result_is_not_known() {
        let open: Vec<_> = BidStage::ALL.into_iter().filter(|stage| stage.is_open()).collect();
        assert_eq!(open, [BidStage::Considering, BidStage::Preparing, BidStage::Submitted]);
        assert!(!BidStage::Submitted.is_before_submission());
    }
}
