//! GET /saved/tenders, PUT and DELETE /saved/tenders/{id}: lists, adds and removes saved tenders.

use crate::{
    app::state::AppState,
    base::paging::{
        Pagination, default_page, default_page_size, deserialize_page_number, deserialize_page_size,
    },
    domain::{error::ServiceError, tender::CurrentTender},
    http::{
        bidding::ListedBidAnswer,
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId, Query},
        routes::tenders::{TenderCounters, TenderView, list::ListedTender},
    },
    services::{entitlement::Entitlement, search::bidder_listing::assess_bidder},
    storage::{
        companies,
        saved_tenders::{self, SavedOrder},
        tenders,
    },
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The order of the list.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum SavedSort {
    /// The last saved first.
    #[default]
    Saved,
    /// Open tenders first, the next closing first. Then the others, the last closed first.
    Closing,
}

/// The page to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SavedQuery {
    /// The order.
    #[serde(default)]
    #[param(inline, required = false)]
    sort: SavedSort,
    /// The page number, from 1.
    #[serde(default = "default_page", deserialize_with = "deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of tenders per page.
    #[serde(default = "default_page_size", deserialize_with = "deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
}

/// Saved tenders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedTenders {
    /// The tenders, in the order of the parameter `sort`. Locked tenders are included without details.
    tenders: Vec<ListedTender>,
    /// For each of `tenders`, in the same order, whether the caller's company may bid; `null` for locked
    /// tenders and those for which nobody bids. Absent while the company profile is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    bid_answers: Option<Vec<Option<ListedBidAnswer>>>,
    /// The position of the page.
    pagination: Pagination,
}

/// List saved tenders
#[utoipa::path(get, path = "/saved/tenders", tag = "saved", operation_id = "savedTenders",
params(SavedQuery), security(("session" = [])), responses(
    (status = 200, description = "One page of saved tenders", body = Envelope<SavedTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_saved_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<SavedQuery>,
) -> ApiResult<SavedTenders> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let order = match query.sort {
        SavedSort::Saved => SavedOrder::LastSaved,
        SavedSort::Closing => SavedOrder::Closing(state.clock.now()),
    };
    let skip = i64::from(query.page - 1) * i64::from(query.limit);
    let (found, count) =
        saved_tenders::of_user(&state.db, caller.id, order, (skip, i64::from(query.limit))).await?;
    let company = companies::filled_of(&state.db, caller.shared_account()).await?;
    let now = state.clock.moment();
    let bid_answers = company.map(|company| {
        let is_open = |found: &&CurrentTender| entitlement.stub(&found.tender, found.owner_id).is_none();
        let answer = |found: &CurrentTender| {
            let open = Some(found).filter(is_open)?;
            assess_bidder(&open.tender, &company, now).map(ListedBidAnswer::from)
        };
        found.iter().map(answer).collect()
    });
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
    let pagination = Pagination::new(query.page, query.limit, count);
    Ok(Envelope::of(SavedTenders { tenders, bid_answers, pagination }))
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
