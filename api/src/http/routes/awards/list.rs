//! GET /awards: lists and searches awards.

use super::AwardView;
use crate::{
    app::state::AppState,
    base::paging::{
        PageQuery, Pagination, default_page, default_page_size, deserialize_page_number,
        deserialize_page_size,
    },
    domain::{
        award::AwardFilter,
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Query,
    },
    storage::{self, awards},
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::{Amount, Currency};
use utoipa::{IntoParams, ToSchema};

/// The maximum length of a text to search for, in characters.
const MAX_TEXT_LENGTH: usize = 200;

/// Which awards to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwardQuery {
    /// Words of the title, the body, the winner or the lot. Quotes and a leading hyphen are understood.
    #[param(max_length = 200)]
    search: Option<String>,
    /// A part of the name of the body.
    #[param(max_length = 200)]
    body: Option<String>,
    /// The slug of a body, for exactly the awards that its page counts; see `GET /buyers`.
    #[param(max_length = 200)]
    buyer: Option<String>,
    /// A part of the name of a winner.
    #[param(max_length = 200)]
    winner: Option<String>,
    /// The year of the decision.
    #[param(minimum = 1970, maximum = 2199)]
    year: Option<i16>,
    /// The currency of the amount.
    currency: Option<Currency>,
    /// The smallest amount in whole units of the currency; of rupees, if none is given.
    min_amount: Option<Amount>,
    /// The largest amount.
    max_amount: Option<Amount>,
    /// The page number, from 1.
    #[serde(default = "default_page", deserialize_with = "deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    page: u32,
    /// The number of awards per page.
    #[serde(default = "default_page_size", deserialize_with = "deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    limit: u32,
}

/// A page of awards.
#[derive(Debug, Serialize, ToSchema)]
pub struct AwardList {
    /// The awards, the newest decision first.
    pub(crate) awards: Vec<AwardView>,
    /// The position of the page.
    pub(crate) pagination: Pagination,
}

/// List awards
///
/// Awards are read from published decisions. Everyone may read them.
#[utoipa::path(get, path = "/awards", tag = "awards", operation_id = "listAwards", params(AwardQuery), responses(
    (status = 200, description = "A page of awards", body = Envelope<AwardList>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_awards(
    State(state): State<AppState>,
    Query(query): Query<AwardQuery>,
) -> ApiResult<AwardList> {
    Ok(Envelope::of(load_awards(&state, query).await?))
}

/// Loads a page of awards.
pub(crate) async fn load_awards(state: &AppState, query: AwardQuery) -> Result<AwardList, ServiceError> {
    let page = PageQuery { page: query.page, limit: query.limit };
    let filter = filter_of(query)?;
    let mut tx = storage::begin_list(&state.db).await?;
    let count = awards::count(&mut *tx, &filter).await?;
    let found = awards::page(&mut *tx, &filter, (i64::from(page.limit), page.skip())).await?;
    Ok(AwardList {
        awards: found.into_iter().map(AwardView::from).collect(),
        pagination: Pagination::new(page.page, page.limit, u64::try_from(count).unwrap_or(0)),
    })
}

fn filter_of(query: AwardQuery) -> Result<AwardFilter, ServiceError> {
    let text = |field: &'static str, text: Option<String>| match text {
        Some(text) if text.chars().count() > MAX_TEXT_LENGTH => {
            Err(FieldError::new(field, format!("{field}: at most {MAX_TEXT_LENGTH} characters")))
        }
        // A text in Postgres can't contain NUL.
        text => {
            Ok(text.map(|text| text.replace('\0', " ").trim().to_owned()).filter(|text| !text.is_empty()))
        }
    };
    let invalid = |error: FieldError| ServiceError::Invalid(vec![error]);
    if query.year.is_some_and(|year| !(1970..=2199).contains(&year)) {
        return Err(invalid(FieldError::new("year", "year must be a number from 1970 to 2199")));
    }
    let has_bound = query.min_amount.is_some() || query.max_amount.is_some();
    Ok(AwardFilter {
        search: text("search", query.search).map_err(invalid)?,
        body: text("body", query.body).map_err(invalid)?,
        winner: text("winner", query.winner).map_err(invalid)?,
        year: query.year,
        currency: query.currency.or(has_bound.then_some(Currency::LKR)),
        min_amount: query.min_amount,
        max_amount: query.max_amount,
        body_slug: text("buyer", query.buyer).map_err(invalid)?,
    })
}
