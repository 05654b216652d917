//! GET and POST /saved/searches, PUT and DELETE /saved/searches/{id}: lists, creates, changes and
//! deletes saved searches. Each has an Atom feed.

use crate::{
    app::state::AppState,
    base::query_string::read_query,
    domain::{
        error::{FieldError, ServiceError},
        saved_search::SavedSearch,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::{
        entitlement::{Entitlement, quota_periods},
        search::list_query::ListQuery,
    },
    storage::{self, saved_searches as stored, users},
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// A saved search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearchView {
    /// The search's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by the caller.
    name: String,
    /// The query string of `GET /tenders`, without page and page size.
    query: String,
    /// The secret URL of the search's Atom feed. Anyone who has the URL sees the results that the
    /// caller sees.
    feed_url: String,
    /// When the search was saved.
    created_at: Moment,
}

impl SavedSearchView {
    fn of(search: SavedSearch, state: &AppState) -> Self {
        Self {
            feed_url: format!("{}/api/feeds/saved/{}", state.config.base_url(), search.feed_key),
            created_at: Moment::new(search.created_at),
            id: search.id,
            name: search.name,
            query: search.query,
        }
    }
}

/// Saved searches.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearches {
    /// The searches, the last saved first.
    searches: Vec<SavedSearchView>,
    /// The number of saved searches that the plan includes; `null` means unlimited.
    #[schema(required)]
    quota: Option<i32>,
}

/// One saved search.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneSavedSearch {
    search: SavedSearchView,
}

/// A search to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchForm {
    /// The name, 1 to 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// The query string of `GET /tenders`. Page and page size are ignored.
    #[schema(max_length = 4096)]
    query: String,
}

/// Changes of a saved search.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchChange {
    /// The new name.
    #[serde(default)]
    #[schema(max_length = 100)]
    name: Option<String>,
    /// Whether to replace the URL of the search's feed. The old URL becomes invalid.
    #[serde(default)]
    renew_feed: bool,
}

/// List saved searches
#[utoipa::path(get, path = "/saved/searches", tag = "saved", operation_id = "savedSearches",
security(("session" = [])), responses(
    (status = 200, description = "All saved searches of the caller", body = Envelope<SavedSearches>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn list_saved_searches(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<SavedSearches> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let found = stored::of_user(&state.db, caller.id).await?;
    let searches = found.into_iter().map(|search| SavedSearchView::of(search, &state)).collect();
    Ok(Envelope::of(SavedSearches { searches, quota: entitlement.saved_search_quota() }))
}

/// Save a search
#[utoipa::path(post, path = "/saved/searches", tag = "saved", operation_id = "saveSearch",
request_body = SearchForm, security(("session" = [])), responses(
    (status = 201, description = "Saved", body = Envelope<OneSavedSearch>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan's number of saved searches is used up, or the plan does not include a \
        filter of the search", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name or the query is invalid", body = FailureBody),
))]
pub async fn save_search(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<SearchForm>,
) -> Result<(StatusCode, Envelope<OneSavedSearch>), ServiceError> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let name = validate_name(&form.name)?;
    let query = ListQuery::without_page(&form.query);
    // Reject searches that the listing would reject.
    read_query::<ListQuery>(&query)?.request(&entitlement, &state)?;
    let now = state.clock.now();
    let search = SavedSearch {
        id: state.random.id(&state.clock),
        user_id: caller.id,
        name,
        query,
        feed_key: state.random.secret(),
        created_at: now,
    };
    let mut tx = storage::begin(&state.db).await?;
    // Requests of a user run one at a time, so that they cannot exceed the limit together.
    users::lock(&mut tx, caller.id).await?;
    let used = stored::count(&mut *tx, caller.id).await?;
    if entitlement.saved_search_quota().is_some_and(|quota| !quota_periods::is_within(quota, used)) {
        return Err(entitlement.saved_search_quota_exceeded());
    }
    stored::insert(&mut *tx, &search).await?;
    tx.commit().await?;
    let search = SavedSearchView::of(search, &state);
    Ok((StatusCode::CREATED, Envelope::with_message("Search saved", OneSavedSearch { search })))
}

/// Rename a saved search, or replace its feed URL
#[utoipa::path(put, path = "/saved/searches/{id}", tag = "saved", operation_id = "changeSearch",
params(("id" = Uuid, Path, description = "`_id` of the search")),
request_body = SearchChange, security(("session" = [])), responses(
    (status = 200, description = "The updated search", body = Envelope<OneSavedSearch>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such search", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name is invalid", body = FailureBody),
))]
pub async fn update_search(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(change): Body<SearchChange>,
) -> ApiResult<OneSavedSearch> {
    let name = change.name.as_deref().map(validate_name).transpose()?;
    let key = change.renew_feed.then(|| state.random.secret());
    let search = stored::update(&state.db, caller.id, id, name.as_deref(), key.as_deref()).await?;
    let search = SavedSearchView::of(search.ok_or(ServiceError::NotFound("Saved search"))?, &state);
    Ok(Envelope::with_message("Search saved", OneSavedSearch { search }))
}

/// Delete a saved search
#[utoipa::path(delete, path = "/saved/searches/{id}", tag = "saved", operation_id = "forgetSearch",
params(("id" = Uuid, Path, description = "`_id` of the search")), security(("session" = [])), responses(
    (status = 200, description = "The search and its feed are deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such search", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_search(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    match stored::remove(&state.db, caller.id, id).await? {
        true => Ok(Envelope::with_message("Search deleted", NoData {})),
        false => Err(ServiceError::NotFound("Saved search")),
    }
}

fn validate_name(name: &str) -> Result<String, ServiceError> {
    let invalid = |message: String| Err(ServiceError::Invalid(vec![FieldError::new("name", message)]));
    if name.contains(char::is_control) {
        return invalid("Name must not contain control characters".into());
    }
    let name = tender_model::terminal_text::single_line(name).trim().to_owned();
    match name.chars().count() {
        0 => invalid("Name is required".into()),
        count if count > MAX_NAME_LENGTH => {
            invalid(format!("Name must be at most {MAX_NAME_LENGTH} characters"))
        }
        _ => Ok(name),
    }
}
