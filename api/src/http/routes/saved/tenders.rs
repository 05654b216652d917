//! GET /saved/tenders, PUT and DELETE /saved/tenders/{id}: lists, adds and removes saved tenders.

use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId, Query},
        routes::tenders::{TenderCounters, TenderView, list::ListedTender},
    },
    services::entitlement::Entitlement,
    storage::{saved_tenders, tenders},
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Saved tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedTenders {
    /// The tenders, the last saved first. Locked tenders are included without details.
    tenders: Vec<ListedTender>,
    /// The position of the page.
    pagination: Pagination,
}

/// List saved tenders
#[utoipa::path(get, path = "/saved/tenders", tag = "saved", operation_id = "savedTenders",
params(PageQuery), security(("session" = [])), responses(
    (status = 200, description = "One page of saved tenders", body = Envelope<SavedTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_saved_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<PageQuery>,
) -> ApiResult<SavedTenders> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let (found, count) =
        saved_tenders::of_user(&state.db, caller.id, query.skip(), i64::from(query.limit)).await?;
    let ids: Vec<_> = found.iter().map(|found| found.tender.id).collect();
    let counters = TenderCounters::load(&state.db, &ids).await?;
    let tenders = found
        .into_iter()
        .map(|found| match entitlement.stub(&found.tender, found.owner_id) {
            Some(stub) => ListedTender::Locked(Box::new(stub)),
            None => {
                let statistics = counters.of(found.tender.id);
                ListedTender::Open(Box::new(TenderView::list_item(found.tender, statistics, false, &state)))
            }
        })
        .collect();
    Ok(Envelope::of(SavedTenders { tenders, pagination: Pagination::new(query.page, query.limit, count) }))
}

/// Save a tender
///
/// The request also succeeds if the tender is already saved.
#[utoipa::path(put, path = "/saved/tenders/{id}", tag = "saved", operation_id = "saveTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Saved", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include saved tenders", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this user", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn save_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let user = caller.id;
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let found = tenders::current(&state.db, id).await?;
    found.filter(|found| found.tender.status.is_public()).ok_or(ServiceError::NotFound("Tender"))?;
    entitlement.permit_saved_tenders()?;
    saved_tenders::add(&state.db, user, id, state.clock.now()).await?;
    Ok(Envelope::with_message("Tender saved", NoData {}))
}

/// Unsave a tender
///
/// The request also succeeds if the tender is not saved. Every plan permits the request.
#[utoipa::path(delete, path = "/saved/tenders/{id}", tag = "saved", operation_id = "unsaveTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "The tender is not saved", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn unsave_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    saved_tenders::remove(&state.db, caller.id, id).await?;
    Ok(Envelope::with_message("Tender no longer saved", NoData {}))
}
