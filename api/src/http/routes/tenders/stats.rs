//! GET /tenders/stats: the counters of the home page and the listing.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::envelope::{Answer, Envelope},
    storage::users,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// How many tenders there are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderStats {
    /// All that are listed.
    pub total_tenders: u64,
    /// Published on today's Colombo day.
    today_tenders: u64,
    /// Open to bids.
    pub live_tenders: u64,
    /// No longer open to bids.
    closed_tenders: u64,
    /// Accounts of suppliers.
    supplier_count: u64,
    /// Of every category, in the form's order.
    category_stats: Vec<Count>,
    /// Of every sector, in the listing's order.
    sector_stats: Vec<Count>,
}

/// How many tenders a category or sector has.
#[derive(Debug, Serialize, ToSchema)]
pub struct Count {
    /// What `GET /tenders?category=` takes.
    #[serde(rename = "_id")]
    id: String,
    /// The same again.
    name: String,
    /// Tenders.
    count: u64,
}

impl Count {
    /// So many of this.
    pub fn new(name: impl Into<String>, count: usize) -> Self {
        let name = name.into();
        Self { id: name.clone(), name, count: count as u64 }
    }
}

/// Count tenders
#[utoipa::path(get, path = "/tenders/stats", tag = "tenders", operation_id = "tenderStats", responses(
    (status = 200, description = "The counts", body = Envelope<TenderStats>),
))]
pub async fn tender_stats(State(state): State<AppState>) -> Answer<TenderStats> {
    stats(&state).await.map(Envelope::of)
}

/// The counts now.
///
/// # Errors
/// When the database or the index fails.
pub async fn stats(state: &AppState) -> Result<TenderStats, ServiceError> {
    let mut stats = crate::services::search::search(state, |catalogue, now| catalogue.stats(now)).await?;
    // The listing shows the first few.
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
