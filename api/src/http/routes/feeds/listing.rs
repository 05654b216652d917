//! GET /feeds/tenders: returns a search of the listing as an Atom feed, as guests see it.

use crate::{
    app::state::AppState,
    base::query_string::read_query,
    domain::error::ServiceError,
    http::{
        atom_feed::{self, FeedMetadata},
        error::FailureBody,
    },
    services::{entitlement::Entitlement, search::list_query::ListQuery},
};
use axum::{
    extract::{RawQuery, State},
    http::HeaderMap,
    response::Response,
};

/// Read the listing as an Atom feed
///
/// The feed has the newest tenders that match the query, at most fifty, as guests see them. The
/// query's order and page are ignored.
#[utoipa::path(get, path = "/feeds/tenders", tag = "feeds", operation_id = "feedListing",
params(ListQuery), responses(
    (status = 200, description = "The feed", body = String, content_type = "application/atom+xml"),
    (status = 304, description = "Not modified"),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 403, description = "The filters require a plan. Save the search and use its own feed",
        body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn feed_listing(
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ServiceError> {
    let query = query.unwrap_or_default();
    let query_form: ListQuery = read_query(&query)?;
    let entitlement = Entitlement::of_user(None, &state).await?;
    let with = |path: &str| if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    let path = with("/api/feeds/tenders");
    let metadata = FeedMetadata {
        title: query_form.title(),
        id: format!("{}{path}", state.config.base_url()),
        page: ListQuery::page_address(&query),
        path,
    };
    atom_feed::respond(&state, &entitlement, query_form, &metadata, &headers).await
}
