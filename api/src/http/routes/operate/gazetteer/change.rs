//! PUT /operate/gazetteer/{id}: changes, confirms or refuses a name.

use crate::{
    app::state::AppState,
    domain::gazetteer::{NameState, NamedThing, NewName},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
    },
    services::gazetteer,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The new state of a name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedNameForm {
    /// Whether the readers use the name.
    state: NameState,
    /// The name.
    #[schema(max_length = 200)]
    name: String,
    /// Other spellings that newspapers print, at most 20.
    #[serde(default)]
    #[schema(max_items = 20)]
    spellings: Vec<String>,
    /// What it names.
    thing: NamedThing,
}

/// Change a name in the gazetteer
///
/// A confirmed name is used by the readers, and a refused one is not. The name itself, its spellings
/// and what it names are replaced.
#[utoipa::path(put, path = "/operate/gazetteer/{id}", tag = "operate", operation_id = "changeName",
params(("id" = Uuid, Path, description = "`_id` of the name")),
request_body = ChangedNameForm, security(("session" = [])), responses(
    (status = 200, description = "The name has this state", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such name", body = FailureBody),
    (status = 409, description = "Another entry has this name", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or the name is invalid", body = FailureBody),
))]
pub async fn change_name(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<ChangedNameForm>,
) -> ApiResult<NoData> {
    let ChangedNameForm { state: name_state, name, spellings, thing } = form;
    let name = NewName { name, spellings, thing };
    gazetteer::change(&state, &actor, id, name, name_state).await?;
    Ok(Envelope::of(NoData {}))
}
