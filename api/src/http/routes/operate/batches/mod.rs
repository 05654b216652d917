//! Routes with which administrators withdraw batches of notices and undo withdrawals.

pub(crate) mod list;
pub(crate) mod preview;
pub(crate) mod read;
pub(crate) mod start;
pub(crate) mod undo;

use crate::{
    app::state::AppState,
    domain::{
        batch::{Batch, BatchWithdrawal, WithdrawalState},
        error::{FieldError, ServiceError},
        validation,
    },
    http::envelope::{ApiResult, Envelope},
    storage::batches,
};
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Day, Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of characters of a newspaper's name.
const MAX_PUBLICATION_LENGTH: usize = 100;

/// A batch of notices: a file, or a newspaper with a date, or a token with a span of time.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchForm {
    /// The id of a file of pages.
    #[serde(default)]
    file: Option<Uuid>,
    /// The newspaper. Upper and lower case are the same.
    #[serde(default)]
    #[schema(max_length = 100)]
    publication: Option<String>,
    /// The issue date.
    #[serde(default)]
    #[schema(format = Date)]
    date: Option<String>,
    /// The id of the operator token that sent the notices last.
    #[serde(default)]
    token: Option<Uuid>,
    /// The first moment at which the notices were sent.
    #[serde(default)]
    #[schema(format = DateTime)]
    from: Option<String>,
    /// The moment after the last one.
    #[serde(default)]
    #[schema(format = DateTime)]
    until: Option<String>,
}

impl BatchForm {
    fn read(self) -> Result<Batch, ServiceError> {
        let invalid = |field: &str, message: &str| {
            ServiceError::Invalid(vec![FieldError::new(field.to_owned(), message.to_owned())])
        };
        let moment = |field: &str, text: String| {
            let read = text.parse::<Moment>();
            read.map(|moment| moment.timestamp())
                .map_err(|_| invalid(field, "Please enter the time as in 2026-11-20T09:00:00+05:30"))
        };
        let Self { file, publication, date, token, from, until } = self;
        match (file, publication, date, token, from, until) {
            (Some(file), None, None, None, None, None) => Ok(Batch::File(file)),
            (None, Some(publication), Some(date), None, None, None) => {
                let publication = validation::parse_line(&publication, "Newspaper", MAX_PUBLICATION_LENGTH)
                    .map_err(|message| invalid("publication", &message))?;
                let date = date
                    .parse::<Day>()
                    .map_err(|_| invalid("date", "Please enter the date as in 2026-11-20"))?;
                Ok(Batch::Issue { publication, date })
            }
            (None, None, None, Some(token), Some(from), Some(until)) => {
                let (from, until) = (moment("from", from)?, moment("until", until)?);
                if from >= until {
                    return Err(invalid("until", "The end must be after the beginning"));
                }
                Ok(Batch::Sent { token, from, until })
            }
            _ => Err(invalid(
                "batch",
                "Choose a file, or a newspaper and a date, or a token and a span of time",
            )),
        }
    }
}

/// A batch of notices.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[schema(as = Batch)]
pub enum BatchView {
    /// The notices of a file of pages.
    File {
        /// The id of the file.
        file: Uuid,
        /// The name of the file.
        #[schema(required)]
        name: Option<String>,
    },
    /// The notices of an issue of a newspaper.
    Issue {
        /// The newspaper.
        publication: String,
        /// The issue date.
        #[schema(value_type = String, format = Date)]
        date: Day,
    },
    /// What an operator token sent in a span of time.
    Sent {
        /// The id of the token.
        token: Uuid,
        /// The name of the token.
        #[schema(required)]
        name: Option<String>,
        /// The first moment.
        from: Moment,
        /// The moment after the last one.
        until: Moment,
    },
}

/// The withdrawal of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BatchWithdrawal)]
pub struct WithdrawalView {
    /// The id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The batch.
    batch: BatchView,
    /// Why the batch is withdrawn.
    reason: String,
    /// How far the withdrawal is.
    state: WithdrawalState,
    /// When it was started.
    started_at: Moment,
    /// The mail address of the administrator who started it. `null`: the account is deleted.
    #[schema(required)]
    started_by: Option<String>,
    /// When everything was done.
    #[schema(required)]
    finished_at: Option<Moment>,
    /// Until when it can be undone. `null`: it is undone.
    #[schema(required)]
    undo_until: Option<Moment>,
    /// When the undo was started.
    #[schema(required)]
    undone_at: Option<Moment>,
    /// The mail address of the administrator who undid it.
    #[schema(required)]
    undone_by: Option<String>,
    /// The number of notices of the batch.
    notices: i32,
    /// The number of notices that were rejected until now.
    withdrawn_notices: i32,
    /// The number of notices that a person had decided otherwise before their turn.
    skipped_notices: i32,
    /// The number of notices that got back their standing until now.
    restored_notices: i32,
    /// The number of tenders that were withdrawn until now.
    withdrawn_tenders: i32,
    /// The number of published tenders that stay.
    kept_tenders: i32,
    /// The number of withdrawn tenders that are published again.
    restored_tenders: i32,
    /// The number of readers who were mailed about the withdrawn tenders.
    mailed: i64,
    /// The number of readers who were mailed about the undo.
    mailed_undo: i64,
}

impl From<BatchWithdrawal> for WithdrawalView {
    fn from(withdrawal: BatchWithdrawal) -> Self {
        let undo_until = withdrawal.undo_until().map(Moment::new);
        let name = withdrawal.name;
        let batch = match withdrawal.batch {
            Batch::File(file) => BatchView::File { file, name },
            Batch::Issue { publication, date } => BatchView::Issue { publication, date },
            Batch::Sent { token, from, until } => {
                BatchView::Sent { token, name, from: Moment::new(from), until: Moment::new(until) }
            }
        };
        let counts = withdrawal.counts;
        Self {
            id: withdrawal.id,
            batch,
            reason: withdrawal.reason,
            state: withdrawal.state,
            started_at: Moment::new(withdrawal.started_at),
            started_by: withdrawal.started_by,
            finished_at: withdrawal.finished_at.map(Moment::new),
            undo_until,
            undone_at: withdrawal.undone_at.map(Moment::new),
            undone_by: withdrawal.undone_by,
            notices: counts.notices,
            withdrawn_notices: counts.withdrawn_notices,
            skipped_notices: counts.skipped_notices,
            restored_notices: counts.restored_notices,
            withdrawn_tenders: counts.withdrawn_tenders,
            kept_tenders: counts.kept_tenders,
            restored_tenders: counts.restored_tenders,
            mailed: withdrawal.mailed,
            mailed_undo: withdrawal.mailed_undo,
        }
    }
}

/// A withdrawal.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneWithdrawal {
    /// The withdrawal.
    withdrawal: WithdrawalView,
}

/// The withdrawal with this id.
async fn withdrawal_response(state: &AppState, id: Uuid) -> ApiResult<OneWithdrawal> {
    let found = batches::find(&state.db, id).await?.ok_or(ServiceError::NotFound("Withdrawal"))?;
    Ok(Envelope::of(OneWithdrawal { withdrawal: found.into() }))
}
