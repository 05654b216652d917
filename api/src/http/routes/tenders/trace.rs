//! GET /tenders/{id}/trace: traces a tender's changes to matches and deliveries.

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
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The trace of a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderTrace {
    /// Its revisions, in order.
    changes: Vec<ChangeView>,
    /// A page of the readers to notify, first match first.
    told: Vec<ToldView>,
    /// The position of the page.
    pagination: Pagination,
}

/// A revision of a tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedChange)]
struct ChangeView {
    /// From 1.
    revision: i64,
    /// Its position in the change log.
    position: i64,
    /// When it was made.
    at: Moment,
    /// The status since then.
    status: String,
    /// Alerts that this revision matched first.
    matches: i64,
    /// Whether the matcher has processed it.
    is_matched: bool,
}

/// A reader to notify, and about what.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedReader)]
struct ToldView {
    /// The matching alert; `null` if the reader has saved the tender.
    alert: Option<TracedAlert>,
    /// The reader's account.
    user: String,
    /// The matching revision.
    revision: Option<i64>,
    /// When it matched.
    at: Option<Moment>,
    /// The reader marked the match as irrelevant.
    is_irrelevant: bool,
    /// What was sent, or is to be, the oldest first.
    deliveries: Vec<TracedDelivery>,
}

/// The matching alert.
#[derive(Debug, Serialize, ToSchema)]
struct TracedAlert {
    /// UUIDv7.
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

impl From<TracedReader> for ToldView {
    fn from(told: TracedReader) -> Self {
        Self {
            alert: told.alert.map(|(id, name)| TracedAlert { id, name }),
            user: told.user,
            revision: told.revision,
            at: told.at.map(Moment::new),
            is_irrelevant: told.is_irrelevant,
            deliveries: told.deliveries,
        }
    }
}

/// Trace a tender
///
/// For operators: each change with its matches, messages and their delivery.
#[utoipa::path(get, path = "/tenders/{id}/trace", tag = "tenders", operation_id = "tenderTrace",
params(("id" = Uuid, Path, description = "`_id` of the tender, whatever its status"), PageQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "One page", body = Envelope<TenderTrace>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "Not an administrator", body = FailureBody),
    (status = 404, description = "There is no such tender", body = FailureBody),
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
    let (told, count) = trace::told(&state.db, id, (i64::from(query.limit), query.skip())).await?;
    let pagination = Pagination::new(query.page, query.limit, count);
    Ok(Envelope::of(TenderTrace {
        changes: changes.into_iter().map(ChangeView::from).collect(),
        told: told.into_iter().map(ToldView::from).collect(),
        pagination,
    }))
}
