//! The ledger of a run: a file with one JSON object per line. A line is written before a request is
//! sent and after its final response, so that the file says what the portal has accepted and what
//! it may have accepted.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// Microseconds since 1970.
pub type Micros = i64;

/// Returns the time of the machine's clock.
pub(crate) fn now() -> Micros {
    #[expect(clippy::disallowed_methods, reason = "the processes of a run share the machine's clock")]
    let now = jiff::Timestamp::now();
    now.as_microsecond()
}

/// What a write does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum WriteKind {
    /// Opens an account.
    Register,
    /// Confirms a mail address with the mailed link.
    Verify,
    /// Changes the profile.
    ChangeProfile,
    /// Changes the password.
    ChangePassword,
    /// Begins a session.
    SignIn,
    /// Exchanges a refresh token.
    Refresh,
    /// Ends a session.
    SignOut,
    /// Pays for a plan.
    Subscribe,
    /// Creates a draft or a published tender.
    CreateTender,
    /// Edits a draft.
    EditDraft,
    /// Publishes a draft.
    PublishDraft,
    /// Corrects a published tender.
    CorrectTender,
    /// Gives a published tender a later closing date.
    ExtendTender,
    /// Closes, awards or cancels a tender.
    EndTender,
    /// Withdraws a published tender.
    WithdrawTender,
    /// Deletes a draft.
    DeleteDraft,
    /// Attaches a document.
    AttachDocument,
    /// Removes a document.
    RemoveDocument,
    /// Creates an alert.
    CreateAlert,
    /// Edits an alert.
    EditAlert,
    /// Deletes an alert.
    DeleteAlert,
    /// Saves a tender.
    SaveTender,
    /// Removes a tender from the saved ones.
    UnsaveTender,
    /// Declares the intention to bid.
    DeclareIntention,
    /// Withdraws the intention to bid.
    WithdrawIntention,
    /// Saves a search.
    SaveSearch,
    /// Saves a report.
    SaveReport,
    /// Creates an API key.
    CreateKey,
    /// Deletes an API key.
    DeleteKey,
    /// Sets the webhook.
    SetWebhook,
    /// Invites a user to a team.
    Invite,
    /// Revokes an invitation.
    Revoke,
    /// Joins a team with an invitation.
    Join,
    /// Leaves a team, or removes a member.
    Part,
    /// Passes an alert of a former member to the owner of the team.
    PassAlert,
    /// Changes the role of a user.
    ChangeRole,
    /// Sets the telephone number, to which a code is sent.
    SetPhone,
    /// Confirms the telephone number with the code.
    ConfirmPhone,
    /// Sends a message with the contact form.
    SendMessage,
    /// Uploads a newspaper page.
    UploadPage,
    /// Decides a notice in review.
    DecideNotice,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteOutcome {
    /// The portal has responded with success.
    Accepted,
    /// The portal has refused the write with this status, and no earlier attempt can have succeeded.
    Refused(u16),
    /// A response was lost. The write may or may not have taken place.
    Unknown,
}

impl WriteOutcome {
    /// Whether a write with this outcome may have sent this number of messages, if it sends one.
    pub(super) const fn permits(self, messages: usize) -> bool {
        match self {
            Self::Accepted => messages == 1,
            Self::Unknown => messages <= 1,
            Self::Refused(_) => messages == 0,
        }
    }
}

/// A write: it gives the record with this key a new value. One client at a time writes a record, and
/// no client writes it again after an unknown outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Write {
    /// The number of the write.
    pub id: u64,
    /// What it does.
    pub kind: WriteKind,
    /// The record, such as `alert/name`.
    pub key: String,
    /// The content of the record after the write. `None` if the write deletes the record.
    pub value: Option<Value>,
    /// When the request was sent.
    pub sent_at: Micros,
    /// When its final response came. `None` for an unknown write.
    pub answered_at: Option<Micros>,
    /// The outcome.
    pub outcome: WriteOutcome,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Sent(Write),
    Answered { id: u64, at: Micros, outcome: WriteOutcome },
    Violation(String),
}

/// The open ledger of a run.
pub(super) struct Ledger {
    file: Mutex<(File, u64)>,
}

impl Ledger {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let file = File::create_new(path).with_context(|| path.display().to_string())?;
        Ok(Self { file: Mutex::new((file, 0)) })
    }

    /// Records a write that is about to be sent. Returns its number.
    pub(super) fn begin(&self, kind: WriteKind, key: &str, value: Option<&Value>) -> Result<u64> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.1 += 1;
        let id = file.1;
        let line = Line::Sent(Write {
            id,
            kind,
            key: key.to_owned(),
            value: value.cloned(),
            sent_at: now(),
            answered_at: None,
            outcome: WriteOutcome::Unknown,
        });
        write_line(&mut file.0, &line)?;
        Ok(id)
    }

    /// Records the outcome of a write.
    pub(super) fn end(&self, id: u64, outcome: WriteOutcome) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file.0, &Line::Answered { id, at: now(), outcome })
    }

    /// Records that a response contradicts what the portal had accepted before.
    pub(super) fn note_violation(&self, violation: &str) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file.0, &Line::Violation(violation.to_owned()))
    }
}

fn write_line(file: &mut File, line: &Line) -> Result<()> {
    // One call, so that a line is whole even if this process is killed.
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    file.write_all(&bytes).context("the ledger can't be written")
}

/// The content of a ledger.
#[derive(Debug, Clone, Default)]
pub struct LedgerContent {
    /// All writes, in the order in which they were sent.
    pub writes: Vec<Write>,
    /// The contradictions that clients have noticed.
    pub violations: Vec<String>,
}

impl LedgerContent {
    /// Reads a ledger. A write without a final line has an unknown outcome.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let mut content = Self::default();
        let mut places = BTreeMap::new();
        for line in BufReader::new(file).lines() {
            match serde_json::from_str(&line?).context("a line of the ledger")? {
                Line::Sent(write) => {
                    places.insert(write.id, content.writes.len());
                    content.writes.push(write);
                }
                Line::Answered { id, at, outcome } => {
                    let place = *places.get(&id).context("the ledger has an outcome without a write")?;
                    let write = &mut content.writes[place];
                    write.outcome = outcome;
                    write.answered_at = (outcome != WriteOutcome::Unknown).then_some(at);
                }
                Line::Violation(violation) => content.violations.push(violation),
            }
        }
        Ok(content)
    }
}
