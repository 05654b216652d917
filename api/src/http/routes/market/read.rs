//! GET /market: counts tenders by district, sector, grade, month and closing.

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        market::{Market, MarketFilter},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Query,
    },
    services::market,
};
use axum::extract::State;
use serde::Deserialize;
use tender_model::vocabulary::{District, Grade, Sector};
use utoipa::IntoParams;

/// Which tenders to count. Without a parameter, all.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MarketQuery {
    /// The district.
    pub(crate) district: Option<District>,
    /// The sector.
    #[param(inline)]
    pub(crate) sector: Option<Sector>,
    /// A contractor grade that is required.
    #[param(inline)]
    pub(crate) grade: Option<Grade>,
}

/// Read the figures of the market
///
/// Only tenders that everyone may see count, and only their certain fields. Corrigenda and notices of
/// awards do not count.
#[utoipa::path(get, path = "/market", tag = "market", operation_id = "readMarket", params(MarketQuery), responses(
    (status = 200, description = "The figures", body = Envelope<Market>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn read_market(
    State(state): State<AppState>,
    Query(query): Query<MarketQuery>,
) -> ApiResult<Market> {
    Ok(Envelope::of(load_market(&state, query).await?))
}

/// Loads the figures.
pub(crate) async fn load_market(state: &AppState, query: MarketQuery) -> Result<Market, ServiceError> {
    let filter = MarketFilter { district: query.district, sector: query.sector, grade: query.grade };
    Ok(Market::clone(&*market::read_market(state, &state.market, filter).await?))
}
