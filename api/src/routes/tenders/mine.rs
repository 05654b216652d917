//! GET /tenders/user/my-tenders: what the caller published or is still writing, from the record itself, so that it
//! shows what was just saved.

use super::{Looks, TenderView};
use crate::{
    auth::CurrentUser,
    db::tenders,
    edge::{Answer, Envelope, Pagination, Query, paging},
    error::FailureBody,
    state::AppState,
};
use axum::extract::State;
use index::tender::Tender;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MineQuery {
    /// From 1.
    #[serde(default = "paging::first_page", deserialize_with = "paging::page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    pub page: u32,
    /// Tenders a page.
    #[serde(default = "paging::page_size", deserialize_with = "paging::page_limit")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    pub limit: u32,
}

impl MineQuery {
    /// How many stand on the pages before.
    #[must_use]
    pub fn skip(&self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.limit)
    }
}

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
params(MineQuery), security(("session" = [])), responses(
    (status = 200, description = "A page of them", body = Envelope<MyTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value does not fit", body = FailureBody),
))]
pub async fn my_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<MineQuery>,
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
