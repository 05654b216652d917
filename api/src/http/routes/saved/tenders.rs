//! GET /saved/tenders, and PUT and DELETE /saved/tenders/{id}: tenders that the caller keeps an eye on.

use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id, Query},
        routes::tenders::{Looks, TenderView, list::ListedTender},
    },
    services::entitlement::Entitlement,
    storage::{favourites, tenders},
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Tenders that the caller keeps an eye on.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedTenders {
    /// The last saved first; locked ones keep their place.
    tenders: Vec<ListedTender>,
    /// Where the page stands.
    pagination: Pagination,
}

/// Tenders that the caller keeps an eye on
#[utoipa::path(get, path = "/saved/tenders", tag = "saved", operation_id = "savedTenders",
params(PageQuery), security(("session" = [])), responses(
    (status = 200, description = "A page of them", body = Envelope<SavedTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value does not fit", body = FailureBody),
))]
pub async fn saved_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<PageQuery>,
) -> Answer<SavedTenders> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let (found, count) =
        favourites::of_user(&state.db, caller.id, query.skip(), i64::from(query.limit)).await?;
    let ids: Vec<_> = found.iter().map(|found| found.tender.id).collect();
    let looks = Looks::at(&state, &ids).await?;
    let tenders = found
        .into_iter()
        .map(|found| match entitlement.stub(&found.tender, found.owner_id) {
            Some(stub) => ListedTender::Locked(Box::new(stub)),
            None => {
                let statistics = looks.of(found.tender.id);
                ListedTender::Open(Box::new(TenderView::line_of(found.tender, statistics, false, &state)))
            }
        })
        .collect();
    Ok(Envelope::of(SavedTenders { tenders, pagination: Pagination::new(query.page, query.limit, count) }))
}

/// Keep an eye on a tender
///
/// Kept again, nothing changes.
#[utoipa::path(put, path = "/saved/tenders/{id}", tag = "saved", operation_id = "saveTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Kept", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not permit it", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this reader", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn save_tender(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    let user = caller.id;
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let found = tenders::current(&state.db, id).await?;
    found.filter(|found| found.tender.status.is_public()).ok_or(ServiceError::NotFound("Tender"))?;
    entitlement.permit_favourites()?;
    favourites::add(&state.db, user, id, state.clock.now()).await?;
    Ok(Envelope::saying("Tender saved", Empty {}))
}

/// Keep an eye on a tender no more
///
/// One that is not kept is no failure. Any plan permits it.
#[utoipa::path(delete, path = "/saved/tenders/{id}", tag = "saved", operation_id = "unsaveTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Not kept", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn unsave_tender(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    favourites::remove(&state.db, caller.id, id).await?;
    Ok(Envelope::saying("Tender no longer saved", Empty {}))
}
