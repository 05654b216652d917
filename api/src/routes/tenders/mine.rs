//! GET /tenders/user/my-tenders: what the caller published or is still writing, from the record itself, so that it
//! shows what was just saved.

use super::{Looks, TenderView};
use crate::{
    auth::CurrentUser,
    db::tenders,
    edge::{Answer, Envelope, PageQuery, Pagination, Query},
    error::FailureBody,
    state::AppState,
};
use axum::extract::State;
use index::tender::Tender;
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyTenders {
    /// A page of them, newest first.
    tenders: Vec<TenderView>,
    /// The same list again.
    items: Vec<TenderView>,
    /// Where the page stands.
    pagination: Pagination,
    /// Of all pages.
    counts: Counts,
}

/// How many tenders the caller has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnerCounts)]
struct Counts {
    /// All of them.
    all: u64,
    /// Open to bids.
    live: u64,
    /// Not yet published.
    draft: u64,
    /// No longer open to bids.
    closed: u64,
}

/// The caller's own tenders, drafts among them
#[utoipa::path(get, path = "/tenders/user/my-tenders", tag = "tenders", operation_id = "myTenders",
params(PageQuery), security(("session" = [])), responses(
    (status = 200, description = "A page of them", body = Envelope<MyTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value does not fit", body = FailureBody),
))]
pub async fn my_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<PageQuery>,
) -> Answer<MyTenders> {
    let (found, count) =
        tenders::of_owner(&state.db, caller.id, query.skip(), i64::from(query.limit)).await?;
    let counts = tenders::counts_of_owner(&state.db, caller.id, state.clock.now()).await?;
    let ids: Vec<_> = found.iter().map(|tender| tender.id).collect();
    let looks = Looks::at(&state, &ids).await?;
    let view = |tender: Tender| {
        let statistics = looks.of(tender.id);
        TenderView::line_of(tender, statistics, false, &state)
    };
    let tenders: Vec<TenderView> = found.into_iter().map(view).collect();
    let number = |count: i64| u64::try_from(count).unwrap_or(0);
    let pagination = Pagination::new(query.page, query.limit, number(count));
    let counts = Counts {
        all: number(counts.all),
        live: number(counts.live),
        draft: number(counts.draft),
        closed: number(counts.all - counts.live - counts.draft),
    };
    Ok(Envelope::of(MyTenders { items: tenders.clone(), tenders, pagination, counts }))
}
