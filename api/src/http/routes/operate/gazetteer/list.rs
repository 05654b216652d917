//! GET /operate/gazetteer: lists the names of the gazetteer.

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        gazetteer::{NameState, NamedThing, StoredName},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::search::list_query,
    storage::gazetteer,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The number of names in a response.
const PAGE_SIZE: usize = 50;

/// The requested names.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct NamesQuery {
    /// Names in this state.
    state: NameState,
    /// A part of the name or of a spelling.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Only names after the one with this id, which is `next` of the previous part.
    after: Option<Uuid>,
}

/// A name in the gazetteer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GazetteerName)]
pub struct NameView {
    /// The id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name.
    name: String,
    /// Other spellings.
    spellings: Vec<String>,
    /// What it names.
    thing: NamedThing,
    /// Whether the readers use it.
    state: NameState,
    /// In how many notices reviewers used it.
    uses: i64,
    /// The key of the last of these notices.
    #[schema(required)]
    last_notice: Option<String>,
    /// When it was proposed or added.
    created_at: Moment,
}

impl From<StoredName> for NameView {
    fn from(stored: StoredName) -> Self {
        Self {
            id: stored.id,
            name: stored.name.name,
            spellings: stored.name.spellings,
            thing: stored.name.thing,
            state: stored.state,
            uses: stored.uses,
            last_notice: stored.last_notice,
            created_at: Moment::new(stored.created_at),
        }
    }
}

/// A part of the list of names.
#[derive(Debug, Serialize, ToSchema)]
pub struct GazetteerNames {
    /// The names, in alphabetical order.
    names: Vec<NameView>,
    /// Send this id as `after` to read the next part. `null`: there are no more names.
    #[schema(required)]
    next: Option<Uuid>,
    /// The number of proposals.
    proposed: i64,
}

/// List the names of the gazetteer
#[utoipa::path(get, path = "/operate/gazetteer", tag = "operate", operation_id = "gazetteerNames",
params(NamesQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<GazetteerNames>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_names(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<NamesQuery>,
) -> ApiResult<GazetteerNames> {
    let mut errors = Vec::new();
    let search = list_query::read_text(query.search.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    // A text in Postgres can't contain NUL.
    let search = search.map(|text| text.replace('\0', ""));
    let mut found =
        gazetteer::page(&state.db, query.state, search.as_deref(), query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let proposed = gazetteer::count_proposed(&state.db).await?;
    Ok(Envelope::of(GazetteerNames {
        names: found.into_iter().map(NameView::from).collect(),
        next,
        proposed,
    }))
}
