//! GET /tenders/{id}/trace: shows the matches and deliveries of a tender's changes.

use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::{
        error::ServiceError,
        trace::{TracedChange, TracedDelivery, TracedReader},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{OperatorOrAdmin, PathId, Query},
    },
    storage::trace,
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The trace of a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderTrace {
    /// Its revisions, in order.
    changes: Vec<ChangeView>,
    /// One page of the recipients of messages about the tender, the first match first.
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
    /// Its position in the change log.
    position: i64,
    /// When it was made.
    at: Moment,
    /// The tender's status after the change.
    status: String,
    /// The number of alerts that first matched at this revision.
    matches: i64,
    /// Whether the matcher has processed it.
    is_matched: bool,
}

/// A recipient of messages about the tender, with the deliveries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedReader)]
struct RecipientView {
    /// The matching alert; `null` if the recipient has saved the tender.
    alert: Option<TracedAlert>,
    /// The recipient's account.
    user: String,
    /// The matching revision.
    revision: Option<i64>,
    /// When it matched.
    at: Option<Moment>,
    /// Whether the recipient marked the match as irrelevant.
    is_irrelevant: bool,
    /// The messages, sent or pending, the oldest first.
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
        let TracedChange { revision, position, at, status, matches, is_matched } = change;
        Self { revision, position, at: Moment::new(at), status, matches, is_matched }
    }
}

impl From<TracedReader> for RecipientView {
    fn from(recipient: TracedReader) -> Self {
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
/// For operators. The trace has each change with its matches, messages and their delivery.
#[utoipa::path(get, path = "/tenders/{id}/trace", tag = "tenders", operation_id = "tenderTrace",
params(("id" = Uuid, Path, description = "`_id` of the tender, in any status"), PageQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The changes, and one page of recipients", body = Envelope<TenderTrace>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "The tender does not exist", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or a query value is invalid", body = FailureBody),
))]
pub async fn tender_trace(
    State(state): State<AppState>,
    _: OperatorOrAdmin,
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
