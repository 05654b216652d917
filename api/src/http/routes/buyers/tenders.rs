//! GET /buyers/{slug}/tenders: lists the open or the past tenders of a body.

use crate::{
    app::state::AppState,
    base::paging::{
        PageQuery, Pagination, default_page, default_page_size, deserialize_page_number,
        deserialize_page_size,
    },
    domain::market::BuyerTender,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{PathName, Query},
    },
    services::market,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Open or past.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BuyerTenderState {
    /// Open to bids.
    #[default]
    Open,
    /// No longer open.
    Past,
}

/// Which tenders of a body to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BuyerTenderQuery {
    /// Open or past tenders.
    #[serde(default)]
    #[param(inline, required = false)]
    show: BuyerTenderState,
    /// The page number, from 1.
    #[serde(default = "default_page", deserialize_with = "deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of tenders per page.
    #[serde(default = "default_page_size", deserialize_with = "deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
}

/// A page of a body's tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct BuyerTenderList {
    /// The tenders.
    tenders: Vec<BuyerTender>,
    /// The position of the page.
    pagination: Pagination,
}

/// List the tenders of a body
#[utoipa::path(get, path = "/buyers/{slug}/tenders", tag = "market", operation_id = "listBuyerTenders",
params(("slug" = String, Path, description = "The slug of the body, or its name", max_length = 400), BuyerTenderQuery), responses(
    (status = 200, description = "A page of tenders", body = Envelope<BuyerTenderList>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 404, description = "Not found", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_buyer_tenders(
    State(state): State<AppState>,
    PathName(slug): PathName,
    Query(query): Query<BuyerTenderQuery>,
) -> ApiResult<BuyerTenderList> {
    let buyer = market::find_buyer(&state, &slug).await?;
    let page = PageQuery { page: query.page, limit: query.limit };
    let is_open = query.show == BuyerTenderState::Open;
    let tenders =
        market::buyer_tenders(&state, &buyer.slug, is_open, (i64::from(page.limit), page.skip())).await?;
    let count = if is_open { buyer.open } else { buyer.past };
    Ok(Envelope::of(BuyerTenderList { tenders, pagination: Pagination::new(page.page, page.limit, count) }))
}
