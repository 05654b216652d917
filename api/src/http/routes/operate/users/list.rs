//! GET /operate/users: lists users.

use super::ListedUserView;
use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        user::{Role, UserFilter},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::search::list_query,
    storage::user_directory,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested users.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsersQuery {
    /// Only users after the user with this id.
    after: Option<Uuid>,
    /// A part of the mail address, the name or the company.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Only users with this role.
    role: Option<Role>,
    /// Only locked or only unlocked accounts.
    is_locked: Option<bool>,
}

/// A part of the list of users.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedUsers {
    /// The users, the latest registered first.
    users: Vec<ListedUserView>,
    /// Send this id as `after` to read the next part. `null`: there are no more users.
    #[schema(required)]
    next: Option<Uuid>,
}

/// The number of users in a response.
const PAGE_SIZE: usize = 50;

/// List users
#[utoipa::path(get, path = "/operate/users", tag = "operate", operation_id = "users",
params(UsersQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ListedUsers>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_users(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<UsersQuery>,
) -> ApiResult<ListedUsers> {
    let UsersQuery { after, search, role, is_locked } = query;
    let mut errors = Vec::new();
    let search = list_query::read_text(search.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    // A text in Postgres can't contain NUL.
    let search = search.map(|text| text.replace('\0', ""));
    let filter = UserFilter { search, role, is_locked };
    let mut found =
        user_directory::page(&state.db, &filter, after, PAGE_SIZE as i64 + 1, state.clock.now()).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    Ok(Envelope::of(ListedUsers { users: found.into_iter().map(ListedUserView::from).collect(), next }))
}
