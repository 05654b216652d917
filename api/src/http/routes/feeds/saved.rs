//! GET /feeds/saved/{key}: returns a saved search as an Atom feed, as its owner sees it. The
//! secret key in the path replaces a session; the owner can renew the key.

use crate::{
    app::state::AppState,
    base::query_string::read_query,
    domain::error::ServiceError,
    http::{
        atom_feed::{self, FeedMetadata},
        error::FailureBody,
        extract::PathName,
    },
    services::{entitlement::Entitlement, search::list_query::ListQuery},
    storage::{saved_searches, users},
};
use axum::{extract::State, http::HeaderMap, response::Response};

/// Read a saved search as an Atom feed
#[utoipa::path(get, path = "/feeds/saved/{key}", tag = "feeds", operation_id = "feedSaved",
params(("key" = String, Path, description = "The key in the saved search's `feedUrl`")), responses(
    (status = 200, description = "The feed", body = String, content_type = "application/atom+xml"),
    (status = 304, description = "Not modified"),
    (status = 403, description = "The owner's plan no longer permits the search's filters", body = FailureBody),
    (status = 404, description = "No feed has this key", body = FailureBody),
    (status = 422, description = "A filter of the search no longer exists", body = FailureBody),
))]
pub async fn feed_saved(
    State(state): State<AppState>,
    PathName(key): PathName,
    headers: HeaderMap,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Feed");
    // Keys in another format were never issued, and the database may reject their characters.
    let is_well_formed =
        key.len() == 43 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_well_formed {
        return Err(NOT_FOUND);
    }
    let search = saved_searches::of_feed(&state.db, &key).await?.ok_or(NOT_FOUND)?;
    let owner = users::by_id(&state.db, search.user_id, state.clock.now()).await?.ok_or(NOT_FOUND)?;
    if owner.is_locked {
        return Err(NOT_FOUND);
    }
    let entitlement = Entitlement::of_user(Some(&owner), &state).await?;
    let query: ListQuery = read_query(&search.query)?;
    let metadata = FeedMetadata {
        title: search.name,
        id: format!("urn:uuid:{}", search.id),
        path: format!("/api/feeds/saved/{key}"),
        page: ListQuery::page_address(&search.query),
    };
    atom_feed::respond(&state, &entitlement, query, &metadata, &headers).await
}
