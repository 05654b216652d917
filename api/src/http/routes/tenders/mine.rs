//! GET /tenders/user/my-tenders: lists the caller's own tenders, drafts and withdrawn tenders. It reads
//! the database and not the index, so that saved changes are visible at once.

use super::{TenderCounters, TenderView};
use crate::services::search::list_query;
use crate::{
    app::state::AppState,
    base::paging::{self, Pagination},
    domain::{
        error::ServiceError,
        tender::{OwnTenderFilter, OwnTenderState},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Query},
    },
    storage::{moderation, tenders},
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, Sector, Topic},
};
use utoipa::{IntoParams, ToSchema};

/// Filters for the caller's tenders. At most one of `publishedToday`, `isLive`, `isClosed` and
/// `isDraft` may be true.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MyTendersQuery {
    /// The page number, from 1.
    #[serde(default = "paging::default_page", deserialize_with = "paging::deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of tenders per page.
    #[serde(default = "paging::default_page_size", deserialize_with = "paging::deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
    /// A sector's value or a category's name; `all` means no filter.
    #[serde(default)]
    category: Option<String>,
    /// Words that must all occur in the tender, also as parts of longer words.
    #[param(max_length = 200)]
    #[serde(default)]
    search: Option<String>,
    /// Only tenders published today, in Colombo time.
    #[serde(default)]
    published_today: Option<bool>,
    /// Only tenders that are open to bids.
    #[serde(default)]
    is_live: Option<bool>,
    /// Only tenders that are no longer open to bids, with withdrawn ones.
    #[serde(default)]
    is_closed: Option<bool>,
    /// Only drafts.
    #[serde(default)]
    is_draft: Option<bool>,
}

impl MyTendersQuery {
    /// Converts the query to a database filter.
    fn filter(&self, now: Moment) -> Result<OwnTenderFilter, ServiceError> {
        let mut errors = Vec::new();
        let topic = list_query::read_topic(self.category.as_deref(), &mut errors);
        let text = list_query::read_text(self.search.as_deref(), &mut errors).unwrap_or_default();
        let day = now.day();
        let (from, until) = (Moment::start_of(day).unwrap_or(now), Moment::end_of(day).unwrap_or(now));
        let states = [
            (
                "publishedToday",
                self.published_today,
                OwnTenderState::Published(from.timestamp(), until.timestamp()),
            ),
            ("isLive", self.is_live, OwnTenderState::Live),
            ("isClosed", self.is_closed, OwnTenderState::Closed),
            ("isDraft", self.is_draft, OwnTenderState::Draft),
        ];
        let message = "at most one of publishedToday, isLive, isClosed and isDraft can be true";
        let state = list_query::single_filter(states, message, &mut errors);
        if !errors.is_empty() {
            return Err(ServiceError::Invalid(errors));
        }
        let (categories, is_registration) = match topic {
            None => (None, None),
            Some(Topic::Category(category)) => (Some(vec![category.as_str()]), None),
            Some(Topic::Sector(Sector::Registration)) => (None, Some(true)),
            Some(Topic::Sector(sector)) => {
                let names = sector.categories().iter().map(|category| category.as_str());
                (Some(names.collect()), Some(false))
            }
        };
        let words = text.split_whitespace().map(str::to_lowercase).collect();
        Ok(OwnTenderFilter { categories, is_registration, words, state })
    }
}

/// The caller's tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyTenders {
    /// One page of tenders, newest first.
    tenders: Vec<TenderView>,
    /// The same list as `tenders`.
    items: Vec<TenderView>,
    /// The position of the page.
    pagination: Pagination,
    /// The number of tenders in each state that match `category` and `search`.
    counts: OwnerCounts,
}

/// The number of the caller's tenders in each state that match `category` and `search`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnerCounts)]
struct OwnerCounts {
    /// The number of all tenders, with drafts and withdrawn ones.
    all: u64,
    /// The number of tenders that are open to bids.
    live: u64,
    /// The number of drafts.
    draft: u64,
    /// The number of tenders that are no longer open to bids, with withdrawn ones.
    closed: u64,
}

/// List the caller's own tenders, including drafts and withdrawn ones
#[utoipa::path(get, path = "/tenders/user/my-tenders", tag = "tenders", operation_id = "myTenders",
params(MyTendersQuery), security(("session" = [])), responses(
    (status = 200, description = "One page of the caller's tenders", body = Envelope<MyTenders>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_my_tenders(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<MyTendersQuery>,
) -> ApiResult<MyTenders> {
    let filter = query.filter(state.clock.moment())?;
    let limit = i64::from(query.limit);
    let page = (i64::from(query.page - 1) * limit, limit);
    let found = tenders::of_owner(&state.db, caller.id, &filter, page, state.clock.now()).await?;
    let counts = found.counts;
    let ids: Vec<_> = found.tenders.iter().map(|tender| tender.id).collect();
    let counters = TenderCounters::load(&state.db, &ids).await?;
    let mut decided = moderation::of_tenders(&state.db, &ids).await?;
    let view = |tender: Tender| {
        let (statistics, decided) = (counters.of(tender.id), decided.remove(&tender.id));
        TenderView::list_item(tender, statistics, false, &state).with_moderation(decided)
    };
    let tenders: Vec<TenderView> = found.tenders.into_iter().map(view).collect();
    let number = |count: i64| u64::try_from(count).unwrap_or(0);
    let pagination = Pagination::new(query.page, query.limit, number(found.count));
    let counts = OwnerCounts {
        all: number(counts.all),
        live: number(counts.live),
        draft: number(counts.draft),
        closed: number(counts.all - counts.live - counts.draft),
    };
    Ok(Envelope::of(MyTenders { items: tenders.clone(), tenders, pagination, counts }))
}
