//! Batches of notices that an administrator withdraws.

use crate::domain::review::NoticeState;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::vocabulary::{Day, Language};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of notices of a batch.
pub const MAX_BATCH_NOTICES: usize = 20_000;
/// How long a withdrawal can be undone after it was started.
pub const UNDO_PERIOD: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The notices of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Batch {
    /// The notices of a file of pages.
    File(Uuid),
    /// The notices of an issue of a newspaper.
    Issue {
        /// The newspaper.
        publication: String,
        /// The issue date.
        date: Day,
    },
    /// What an operator token sent in a span of time.
    Sent {
        /// The token.
        token: Uuid,
        /// The first moment.
        from: Timestamp,
        /// The moment after the last one.
        until: Timestamp,
    },
}

/// How far a withdrawal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum WithdrawalState {
    /// The notices are being rejected.
    Withdrawing,
    /// Readers are being mailed about the withdrawn tenders.
    Telling,
    /// Everything is done.
    Done,
    /// The notices are getting back their standing.
    Undoing,
    /// Readers are being mailed that the tenders are open again.
    TellingUndo,
    /// The withdrawal is undone.
    Undone,
}

impl WithdrawalState {
    /// Whether the withdrawal is or was undone.
    #[must_use]
    pub const fn is_undo(self) -> bool {
        matches!(self, Self::Undoing | Self::TellingUndo | Self::Undone)
    }
}

/// What a withdrawal would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WithdrawalPreview {
    /// The notices that would be rejected.
    pub notices: usize,
    /// Those of them that wait for review.
    pub waiting: i64,
    /// The published tenders that would be withdrawn.
    pub tenders: usize,
    /// The published tenders that stay, because another notice prints them.
    pub printed_elsewhere: i64,
    /// The published tenders that stay, because a supplier owns them.
    pub owned: i64,
    /// The readers who would be mailed.
    pub readers: usize,
}

/// The numbers of notices and tenders of a withdrawal until now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WithdrawalCounts {
    /// The notices of the batch.
    pub notices: i32,
    /// The notices that were rejected.
    pub withdrawn_notices: i32,
    /// The notices that a person had decided otherwise before their turn.
    pub skipped_notices: i32,
    /// The notices that got back their standing.
    pub restored_notices: i32,
    /// The tenders that were withdrawn.
    pub withdrawn_tenders: i32,
    /// The published tenders that stay.
    pub kept_tenders: i32,
    /// The withdrawn tenders that are published again.
    pub restored_tenders: i32,
}

impl WithdrawalCounts {
    /// Adds the numbers of a step.
    pub const fn add(&mut self, step: Self) {
        self.withdrawn_notices += step.withdrawn_notices;
        self.skipped_notices += step.skipped_notices;
        self.restored_notices += step.restored_notices;
        self.withdrawn_tenders += step.withdrawn_tenders;
        self.kept_tenders += step.kept_tenders;
        self.restored_tenders += step.restored_tenders;
    }
}

/// A withdrawal of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchWithdrawal {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The batch.
    pub batch: Batch,
    /// The name of the file or of the token.
    pub name: Option<String>,
    /// Why the batch is withdrawn.
    pub reason: String,
    /// How far the withdrawal is.
    pub state: WithdrawalState,
    /// Whether the readers of the present state are listed.
    pub readers_listed: bool,
    /// When it was started.
    pub started_at: Timestamp,
    /// The mail address of the administrator who started it. `None`: the account is deleted.
    pub started_by: Option<String>,
    /// When everything was done.
    pub finished_at: Option<Timestamp>,
    /// When the undo was started.
    pub undone_at: Option<Timestamp>,
    /// The mail address of the administrator who undid it.
    pub undone_by: Option<String>,
    /// The numbers of notices and tenders.
    pub counts: WithdrawalCounts,
    /// The readers who were mailed about the withdrawn tenders.
    pub mailed: i64,
    /// The readers who were mailed about the undo.
    pub mailed_undo: i64,
}

impl BatchWithdrawal {
    /// Until when the withdrawal can be undone. `None`: it is undone.
    #[must_use]
    pub fn undo_until(&self) -> Option<Timestamp> {
        let until = self.started_at.checked_add(UNDO_PERIOD).unwrap_or(Timestamp::MAX);
        (!self.state.is_undo()).then_some(until)
    }
}

/// A new withdrawal.
#[derive(Debug, Clone, Copy)]
pub struct NewWithdrawal<'a> {
    /// The id.
    pub id: Uuid,
    /// The batch.
    pub batch: &'a Batch,
    /// The name of the file.
    pub file_name: Option<&'a str>,
    /// Why the batch is withdrawn.
    pub reason: &'a str,
    /// When.
    pub at: Timestamp,
    /// The administrator.
    pub by: Uuid,
}

/// A notice that a withdrawal rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawnNotice {
    /// The key of the notice.
    pub key: String,
    /// The notice before.
    pub before: NoticeState,
    /// The tender that it belonged to.
    pub tender_id: Option<Uuid>,
}

/// A tender that would be withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawnTender {
    /// The tender.
    pub id: Uuid,
    /// The revision that withdraws it.
    pub revision: i64,
}

/// A reader, and the tenders of a batch that the reader is mailed about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchReader {
    /// The user.
    pub user_id: Uuid,
    /// The address.
    pub address: String,
    /// The items: the alert, the tender and its revision. Without an alert, the user has saved the
    /// tender.
    pub items: Vec<(Option<Uuid>, Uuid, i64)>,
}

/// A reader who is to be mailed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntoldReader {
    /// The user.
    pub user_id: Uuid,
    /// The address.
    pub address: String,
    /// The first name.
    pub first_name: String,
    /// The language.
    pub language: Language,
}
