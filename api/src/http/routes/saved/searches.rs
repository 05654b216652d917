//! GET and POST /saved/searches, PUT and DELETE /saved/searches/{id}: searches that the caller comes back to, each with a feed.

use crate::{
    app::state::AppState,
    base::query_string::read_query,
    domain::{
        error::{FieldError, ServiceError},
        saved_search::SavedSearch,
    },
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, Id},
    },
    services::{
        entitlement::{Entitlement, quota_periods},
        search::list_query::ListQuery,
    },
    storage::{saved_searches as stored, users},
};
use axum::{extract::State, http::StatusCode};
use index::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The most characters of a name.
const LONGEST_NAME: usize = 100;

/// A search that the caller comes back to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearchView {
    /// UUIDv7.
    #[serde(rename = "_id")]
    id: Uuid,
    /// As the caller calls it.
    name: String,
    /// What `GET /tenders` is asked, without its page.
    query: String,
    /// The address of its Atom feed. Whoever has it sees what the caller sees.
    feed_url: String,
    /// Since when.
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

/// Searches that the caller comes back to.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearches {
    /// The last saved first.
    searches: Vec<SavedSearchView>,
    /// How many the plan includes; `null`: any number.
    #[schema(required)]
    quota: Option<i32>,
}

/// One of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneSavedSearch {
    search: SavedSearchView,
}

/// A search to be saved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchForm {
    /// 1 to 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// What `GET /tenders` is asked; its page is left out.
    #[schema(max_length = 4096)]
    query: String,
}

/// What changes of a saved search.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchChange {
    /// Another name.
    #[serde(default)]
    #[schema(max_length = 100)]
    name: Option<String>,
    /// Gives its feed another address; the one before leads nowhere any more.
    #[serde(default)]
    renew_feed: bool,
}

/// Searches that the caller comes back to
#[utoipa::path(get, path = "/saved/searches", tag = "saved", operation_id = "savedSearches", security(("session" = [])), responses(
    (status = 200, description = "All of them", body = Envelope<SavedSearches>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn saved_searches(State(state): State<AppState>, caller: CurrentUser) -> Answer<SavedSearches> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let found = stored::of_user(&state.db, caller.id).await?;
    let searches = found.into_iter().map(|search| SavedSearchView::of(search, &state)).collect();
    Ok(Envelope::of(SavedSearches { searches, quota: entitlement.saved_searches() }))
}

/// Save a search
#[utoipa::path(post, path = "/saved/searches", tag = "saved", operation_id = "saveSearch",
request_body = SearchForm, security(("session" = [])), responses(
    (status = 201, description = "Saved", body = Envelope<OneSavedSearch>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan's saved searches are used up, or it does not permit every filter", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name or the query does not fit", body = FailureBody),
))]
pub async fn save_search(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<SearchForm>,
) -> Result<(StatusCode, Envelope<OneSavedSearch>), ServiceError> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    let name = named(&form.name)?;
    let query = ListQuery::without_page(&form.query);
    // What would be refused in the listing is not kept.
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
    let mut tx = state.db.begin().await?;
    // Two at once can't both take the last place.
    users::lock(&mut tx, caller.id).await?;
    let used = stored::count(&mut *tx, caller.id).await?;
    if entitlement.saved_searches().is_some_and(|quota| !quota_periods::is_within(quota, used)) {
        return Err(entitlement.searches_used_up());
    }
    stored::insert(&mut *tx, &search).await?;
    tx.commit().await?;
    let search = SavedSearchView::of(search, &state);
    Ok((StatusCode::CREATED, Envelope::saying("Search saved", OneSavedSearch { search })))
}

/// Rename a saved search, or give its feed another address
#[utoipa::path(put, path = "/saved/searches/{id}", tag = "saved", operation_id = "changeSearch",
params(("id" = Uuid, Path, description = "`_id` of the search")), request_body = SearchChange, security(("session" = [])), responses(
    (status = 200, description = "As it stands now", body = Envelope<OneSavedSearch>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such search", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name does not fit", body = FailureBody),
))]
pub async fn change_search(
    State(state): State<AppState>,
    caller: CurrentUser,
    Id(id): Id,
    Body(change): Body<SearchChange>,
) -> Answer<OneSavedSearch> {
    let name = change.name.as_deref().map(named).transpose()?;
    let key = change.renew_feed.then(|| state.random.secret());
    let search = stored::update(&state.db, caller.id, id, name.as_deref(), key.as_deref()).await?;
    let search = SavedSearchView::of(search.ok_or(ServiceError::NotFound("Saved search"))?, &state);
    Ok(Envelope::saying("Search saved", OneSavedSearch { search }))
}

/// Let a saved search go
#[utoipa::path(delete, path = "/saved/searches/{id}", tag = "saved", operation_id = "forgetSearch",
params(("id" = Uuid, Path, description = "`_id` of the search")), security(("session" = [])), responses(
    (status = 200, description = "Gone, and its feed with it", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such search", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn forget_search(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    match stored::remove(&state.db, caller.id, id).await? {
        true => Ok(Envelope::saying("Search deleted", Empty {})),
        false => Err(ServiceError::NotFound("Saved search")),
    }
}

fn named(name: &str) -> Result<String, ServiceError> {
    let name = tender_model::message::single_line(name).trim().to_owned();
    let refused = |message: String| Err(ServiceError::Invalid(vec![FieldError::new("name", message)]));
    match name.chars().count() {
        0 => refused("Name is required".into()),
        count if count > LONGEST_NAME => refused(format!("Name must be at most {LONGEST_NAME} characters")),
        _ => Ok(name),
    }
}
