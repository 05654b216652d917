//! The audit log: what operators, administrators and the command line did.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::net::IpAddr;
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who acted, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Who acted.
    pub identity: ActorIdentity,
    /// The IP address of the request. `None` on the command line.
    pub address: Option<IpAddr>,
}

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActorIdentity {
    /// The session of this user.
    User(Uuid),
    /// The operator token with this id.
    Token(Uuid),
    /// The command line, with the account of the operating system if it is known.
    CommandLine(Option<String>),
}

impl Actor {
    /// The command line of this machine.
    #[must_use]
    pub const fn command_line(account: Option<String>) -> Self {
        Self { identity: ActorIdentity::CommandLine(account), address: None }
    }
}

/// The kind of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ActorKind {
    /// The session of a user.
    User,
    /// An operator token.
    Token,
    /// The command line.
    CommandLine,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AuditAction {
    /// A decision about a notice in review.
    DecideReview,
    /// An undone decision about a notice.
    UndoReview,
    /// A new administrator or reviewer.
    CreateUser,
    /// A locked account.
    LockUser,
    /// An unlocked account.
    UnlockUser,
    /// All sessions of a user were signed out.
    EndSessions,
    /// An administrator removed the second factors of a user.
    ResetSecondFactors,
    /// Another role of a user.
    ChangeRole,
    /// A confirmation link was mailed to a user again.
    ResendConfirmation,
    /// The publication of a tender that waited for a check.
    ApprovePublication,
    /// The refusal to publish a tender that waited for a check.
    RefusePublication,
    /// A tender was taken down.
    TakeDownTender,
    /// A tender that was taken down is public again.
    RestoreTender,
    /// An edit of a tender of another user or of a newspaper.
    EditTender,
    /// A deleted draft of another user.
    DeleteTender,
    /// The first upload of a notice by an operator token on a day.
    UploadNotices,
    /// A new operator token.
    CreateToken,
    /// Revoked operator tokens.
    RevokeTokens,
    /// Other prices or limits of a plan.
    ChangePlan,
    /// The demonstration accounts were deleted.
    RemoveDemo,
    /// Undeliverable messages were queued again.
    RetryMail,
    /// The suppression of an address was lifted.
    LiftSuppression,
    /// A payment event that was not applied was marked as settled, or its note changed.
    SettlePayment,
    /// A message of the contact form was marked as answered, or its note changed.
    AnswerMessage,
    /// A message of the contact form was marked as open.
    ReopenMessage,
    /// A new file of newspaper pages.
    UploadPages,
    /// A newspaper page is to be read again.
    RereadPage,
    /// An operator corrects the newspaper or the issue date of a file of pages.
    CorrectIssue,
    /// A forgotten newspaper page.
    ForgetPage,
    /// A new name in the gazetteer.
    AddName,
    /// A changed, confirmed or refused name in the gazetteer.
    ChangeName,
    /// A box was drawn on a newspaper page, to be read as a notice.
    DrawBox,
    /// A box on a newspaper page was dismissed.
    DismissBox,
    /// A drawn or dismissed box was undone.
    UndoBox,
    /// The withdrawal of a batch of notices was started.
    WithdrawBatch,
    /// The undo of a withdrawal of a batch was started.
    UndoBatchWithdrawal,
    /// A newspaper that is expected from now on.
    AddPaper,
    /// Another schedule of an expected newspaper.
    ChangePaper,
    /// A newspaper that is not expected any more.
    RemovePaper,
    /// A note that an issue of a newspaper did not appear.
    NoteAbsence,
    /// The note that an issue did not appear was removed.
    RemoveAbsence,
    /// A new or changed holiday.
    SetHoliday,
    /// A removed holiday.
    RemoveHoliday,
    /// A new signing key.
    RotateKey,
    /// An earlier signing key was removed.
    RemoveKey,
    /// All messages and charges were switched on or off.
    SwitchSending,
}

/// What an action was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AuditSubject {
    /// A notice, by its key.
    Notice,
    /// A tender, by its id.
    Tender,
    /// A user, by its id.
    User,
    /// Operator tokens, by their name.
    Token,
    /// A plan, by its name.
    Plan,
    /// A message, by its id, or all messages.
    Message,
    /// A suppressed address, by the id of the suppression.
    Suppression,
    /// A payment event, by the name of the provider, a colon and the provider's id of the event.
    PaymentEvent,
    /// A message of the contact form, by its id.
    ContactMessage,
    /// The demonstration accounts.
    Demo,
    /// A newspaper page or a file of pages, by its id.
    Page,
    /// A name in the gazetteer, by its id.
    GazetteerName,
    /// The withdrawal of a batch of notices, by its id.
    BatchWithdrawal,
    /// An expected newspaper, by its id.
    Paper,
    /// A holiday, by its day.
    Holiday,
    /// A signing key, by its id.
    SigningKey,
    /// The whole portal.
    Portal,
}

/// A new entry of the audit log.
#[derive(Debug, Clone)]
pub struct NewAuditEntry<'a> {
    /// Who acted.
    pub actor: &'a Actor,
    /// What was done.
    pub action: AuditAction,
    /// The kind of the subject.
    pub subject: AuditSubject,
    /// The id of the subject within its kind.
    pub subject_id: &'a str,
    /// The changed values before the action. `None`: nothing was there, or it is not recorded.
    pub before: Option<Value>,
    /// The changed values after the action.
    pub after: Option<Value>,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The number of the entry. Later entries have higher numbers.
    pub id: i64,
    /// When the action was recorded.
    pub at: Timestamp,
    /// The kind of the actor.
    pub actor_kind: ActorKind,
    /// The id of the user or of the token.
    pub actor_id: Option<Uuid>,
    /// The present mail address of the user, the name of the token, or the account of the operating system.
    pub actor_name: Option<String>,
    /// The IP address of the request.
    pub address: Option<String>,
    /// What was done.
    pub action: AuditAction,
    /// The kind of the subject.
    pub subject: AuditSubject,
    /// The id of the subject within its kind.
    pub subject_id: String,
    /// The present name of the subject: a mail address, a title, or the name of a file.
    pub subject_name: Option<String>,
    /// The changed values before the action.
    pub before: Option<Value>,
    /// The changed values after the action.
    pub after: Option<Value>,
}

/// Which entries are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<AuditAction>,
    /// Only this user or token.
    pub actor_id: Option<Uuid>,
    /// Only the subject with this id.
    pub subject_id: Option<String>,
}
