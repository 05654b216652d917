//! GET /tenders/{id}/trace: shows the matches and deliveries of a tender's changes.

use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::{
        error::ServiceError,
        trace::{TracedChange, TracedDelivery, TracedRecipient},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{OperatorOrAdmin, PathId, Query, scope},
    },
    storage::trace,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::{Moment, TenderStatus};
use utoipa::ToSchema;
use uuid::Uuid;

/// The trace of a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderTrace {
    /// The tender's revisions, in order.
    changes: Vec<ChangeView>,
    /// One page of the recipients: the owners of matching alerts, the first match first, and then
    /// the users who have saved the tender and got a message about it.
    told: Vec<RecipientView>,
    /// The position of the page.
    pagination: Pagination,
}

/// A revision of a tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedChange)]
struct ChangeView {
    /// The revision number, from 1.
    revision: i64,
    /// The revision's position in the change log.
    position: i64,
    /// When the revision was made.
    at: Moment,
    /// The tender's status in this revision.
    status: TenderStatus,
    /// The number of alerts that first matched at this revision.
    matches: i64,
    /// Whether the matcher has processed the revision.
    is_matched: bool,
}

/// A recipient, with the messages about the tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedReader)]
struct RecipientView {
    /// The matching alert; `null` if the recipient has saved the tender.
    alert: Option<TracedAlert>,
    /// The mail address of the recipient's account.
    user: String,
    /// The revision that the alert matched.
    revision: Option<i64>,
    /// When the alert matched.
    at: Option<Moment>,
    /// Whether the recipient marked the match as irrelevant.
    is_irrelevant: bool,
    /// The messages in any state, the oldest first.
    deliveries: Vec<TracedDelivery>,
}

/// The matching alert.
#[derive(Debug, Serialize, ToSchema)]
struct TracedAlert {
    /// The alert's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by its owner.
    name: String,
}

impl From<TracedChange> for ChangeView {
    fn from(change: TracedChange) -> Self {
        let TracedChange { revision, position, at, status, matches, is_processed } = change;
        Self { revision, position, at: Moment::new(at), status, matches, is_matched: is_processed }
    }
}

impl From<TracedRecipient> for RecipientView {
    fn from(recipient: TracedRecipient) -> Self {
        Self {
            alert: recipient.alert.map(|(id, name)| TracedAlert { id, name }),
            user: recipient.user,
            revision: recipient.revision,
            at: recipient.at.map(Moment::new),
            is_irrelevant: recipient.is_irrelevant,
            deliveries: recipient.deliveries,
        }
    }
}

/// Trace a tender
///
/// For operators. The trace shows the tender's revisions, the alerts that matched, and the
/// delivery of the messages to their recipients.
#[utoipa::path(get, path = "/tenders/{id}/trace", tag = "tenders", operation_id = "tenderTrace",
params(("id" = Uuid, Path, description = "`_id` of the tender, in any status"), PageQuery),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The changes, and one page of recipients", body = Envelope<TenderTrace>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "The tender does not exist", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or a query value is invalid", body = FailureBody),
))]
pub async fn trace_tender(
    State(state): State<AppState>,
    _: OperatorOrAdmin<scope::Trace>,
    PathId(id): PathId,
    Query(query): Query<PageQuery>,
) -> ApiResult<TenderTrace> {
    let changes = trace::changes(&state.db, id).await?;
    if changes.is_empty() {
        return Err(ServiceError::NotFound("Tender"));
    }
    let (told, count) = trace::recipients(&state.db, id, (i64::from(query.limit), query.skip())).await?;
    let pagination = Pagination::new(query.page, query.limit, count);
    Ok(Envelope::of(TenderTrace {
        changes: changes.into_iter().map(ChangeView::from).collect(),
        told: told.into_iter().map(RecipientView::from).collect(),
        pagination,
    }))
}
