//! GET /tenders/stats: reads the counts that the home page and the listing show.

use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{MaybeUser, Query},
    },
    services::{entitlement::Entitlement, search::list_query::ListQuery},
    storage::users,
};
use axum::extract::State;
use index::ListingRequest;
use serde::Serialize;
use utoipa::ToSchema;

/// Numbers of tenders: all, or those that match the filters of the request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderStats {
    /// The number of tenders, whatever their status.
    pub total_tenders: u64,
    /// The number of tenders published today, in Colombo time.
    today_tenders: u64,
    /// The number of tenders that are open to bids.
    pub live_tenders: u64,
    /// The number of tenders that are no longer open to bids.
    closed_tenders: u64,
    /// The number of supplier accounts.
    supplier_count: u64,
    /// All categories. The category with the most tenders comes first.
    category_stats: Vec<Count>,
    /// All sectors, in the order of the vocabulary.
    sector_stats: Vec<Count>,
}

/// The number of tenders with one value of a filter.
#[derive(Debug, Serialize, ToSchema)]
pub struct Count {
    /// The value, as the filter of `GET /tenders` expects it.
    #[serde(rename = "_id")]
    id: String,
    /// The same as the id.
    pub name: String,
    /// The number of tenders.
    pub count: u64,
}

impl Count {
    /// Creates a count.
    pub fn new(name: impl Into<String>, count: usize) -> Self {
        let name = name.into();
        Self { id: name.clone(), name, count: count as u64 }
    }
}

/// Count tenders
///
/// Without parameters, all tenders are counted. With the filters of `GET /tenders`, those that match
/// are counted. As in the facets, no filter narrows its own counts: `publishedToday`, `isLive`,
/// `isClosed` and `hideClosed` narrow only the categories and the sectors, and a sector does not narrow the
/// sectors. The page, its size and the order have no effect.
#[utoipa::path(get, path = "/tenders/stats", tag = "tenders", operation_id = "tenderStats",
params(ListQuery), security((), ("session" = [])), responses(
    (status = 200, description = "The counts", body = Envelope<TenderStats>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "The request's session has ended", body = FailureBody),
    (status = 403, description = "The plan does not include a filter", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_tender_stats(
    State(state): State<AppState>,
    caller: MaybeUser,
    Query(query): Query<ListQuery>,
) -> ApiResult<TenderStats> {
    let entitlement = Entitlement::of_user(caller.user(), &state).await?;
    let request = query.request(&entitlement, &state)?;
    count_within(&state, request).await.map(Envelope::of)
}

/// Counts all tenders at the current time.
pub async fn count_tenders(state: &AppState) -> Result<TenderStats, ServiceError> {
    count_within(state, ListingRequest::default()).await
}

/// Counts the tenders that match the text and the filters of a request.
async fn count_within(state: &AppState, request: ListingRequest) -> Result<TenderStats, ServiceError> {
    let mut stats =
        crate::services::search::search(state, SearchKind::Statistics, move |search_engine, now| {
            search_engine.stats_within(&request, now)
        })
        .await?;
    // The listing shows only the first categories.
    stats.categories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let suppliers = users::count_suppliers(&state.db).await?;
    Ok(TenderStats {
        total_tenders: stats.total as u64,
        today_tenders: stats.today as u64,
        live_tenders: stats.live as u64,
        closed_tenders: stats.closed as u64,
        supplier_count: u64::try_from(suppliers).unwrap_or(0),
        category_stats: stats
            .categories
            .into_iter()
            .map(|(category, n)| Count::new(category.as_str(), n))
            .collect(),
        sector_stats: stats.sectors.into_iter().map(|(sector, n)| Count::new(sector.as_str(), n)).collect(),
    })
}
