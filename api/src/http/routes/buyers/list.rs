//! GET /buyers: lists and searches the bodies that invite bids.

use crate::{
    app::state::AppState,
    base::paging::{
        PageQuery, Pagination, default_page, default_page_size, deserialize_page_number,
        deserialize_page_size,
    },
    domain::{
        error::{FieldError, ServiceError},
        market::Buyer,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Query,
    },
    services::market,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The maximum length of a text to search for, in characters.
const MAX_TEXT_LENGTH: usize = 200;

/// Which bodies to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BuyerQuery {
    /// The beginnings of words of the name, or an acronym.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The page number, from 1.
    #[serde(default = "default_page", deserialize_with = "deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of bodies per page.
    #[serde(default = "default_page_size", deserialize_with = "deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
}

/// A page of bodies.
#[derive(Debug, Serialize, ToSchema)]
pub struct BuyerList {
    /// The bodies, those with the most open tenders first.
    pub(crate) buyers: Vec<Buyer>,
    /// The position of the page.
    pub(crate) pagination: Pagination,
}

/// List the bodies that invite bids
///
/// Bodies are named as their notices print them. Tenders count if everyone may see them and the name is
/// certain.
#[utoipa::path(get, path = "/buyers", tag = "market", operation_id = "listBuyers", params(BuyerQuery), responses(
    (status = 200, description = "A page of bodies", body = Envelope<BuyerList>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_buyers(
    State(state): State<AppState>,
    Query(query): Query<BuyerQuery>,
) -> ApiResult<BuyerList> {
    Ok(Envelope::of(load_buyers(&state, query).await?))
}

/// Loads a page of bodies.
pub(crate) async fn load_buyers(state: &AppState, query: BuyerQuery) -> Result<BuyerList, ServiceError> {
    let search = query.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
    if search.is_some_and(|search| search.chars().count() > MAX_TEXT_LENGTH) {
        let problem = format!("search: at most {MAX_TEXT_LENGTH} characters");
        return Err(ServiceError::Invalid(vec![FieldError::new("search", problem)]));
    }
    let page = PageQuery { page: query.page, limit: query.limit };
    let found = market::list_buyers(state, &state.market, search).await?;
    let skip = usize::try_from(page.skip()).unwrap_or(usize::MAX);
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let pagination = Pagination::new(page.page, page.limit, found.len() as u64);
    Ok(BuyerList { buyers: found.into_iter().skip(skip).take(limit).collect(), pagination })
}
