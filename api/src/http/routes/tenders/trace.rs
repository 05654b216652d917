//! GET /tenders/{id}/trace: from a tender's changes to whom they matched and what was sent of that.

use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::{
        error::ServiceError,
        trace::{TracedChange, TracedDelivery, TracedReader},
    },
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Id, OperatorOrAdmin, Query},
    },
    storage::trace,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What became of a tender's changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct TenderTrace {
    /// Its revisions, in order.
    changes: Vec<ChangeView>,
    /// A page of those who were to be told, the first matched first.
    told: Vec<ToldView>,
    /// Where the page stands.
    pagination: Pagination,
}

/// A revision of a tender.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedChange)]
struct ChangeView {
    /// From 1.
    revision: i64,
    /// Its place in the log.
    position: i64,
    /// When it was made.
    at: Moment,
    /// The tender's status from then on.
    status: String,
    /// Alerts that first matched it.
    matches: i64,
    /// Whether the matcher has come to it.
    is_matched: bool,
}

/// Who was to be told, and of what.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedReader)]
struct ToldView {
    /// The alert that matched; `null`: its reader has saved the tender.
    alert: Option<TracedAlert>,
    /// The reader's account.
    user: String,
    /// The revision that matched.
    revision: Option<i64>,
    /// When it matched.
    at: Option<Moment>,
    /// Its reader said that it does not belong there.
    is_irrelevant: bool,
    /// What was sent, or is to be, the oldest first.
    deliveries: Vec<TracedDelivery>,
}

/// The alert that matched.
#[derive(Debug, Serialize, ToSchema)]
struct TracedAlert {
    /// UUIDv7.
    #[serde(rename = "_id")]
    id: Uuid,
    /// As its owner calls it.
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

/// What became of a tender's changes
///
/// For operators: each change, whom it matched, what was sent of that, and whether it arrived.
#[utoipa::path(get, path = "/tenders/{id}/trace", tag = "tenders", operation_id = "tenderTrace",
params(("id" = Uuid, Path, description = "`_id` of the tender, whatever its status"), PageQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "A page of it", body = Envelope<TenderTrace>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token, and nobody signed in", body = FailureBody),
    (status = 403, description = "Signed in, but not as an administrator", body = FailureBody),
    (status = 404, description = "There is no such tender", body = FailureBody),
    (status = 422, description = "The id is no UUID, or a query value does not fit", body = FailureBody),
))]
pub async fn tender_trace(
    State(state): State<AppState>,
    _: OperatorOrAdmin,
    Id(id): Id,
    Query(query): Query<PageQuery>,
) -> Answer<TenderTrace> {
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
