//! GET and POST /operate/papers, PUT and DELETE /operate/papers/{id}: the table of expected
//! newspapers.

use super::PaperView;
use crate::{
    app::state::AppState,
    domain::{coverage::Weekday, error::ServiceError},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, PathId, Reviewer},
    },
    services::coverage::papers::{self, PaperInput},
    storage::expected_papers,
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// When a newspaper is expected.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaperForm {
    /// The name.
    #[schema(max_length = 100)]
    name: String,
    /// Further spellings of the name, as they are read from pages. Upper and lower case, spaces and
    /// signs make no difference.
    #[serde(default)]
    #[schema(max_items = 20)]
    spellings: Vec<String>,
    /// The days of the week on which the newspaper appears.
    #[schema(min_items = 1)]
    weekdays: Vec<Weekday>,
    /// The time of day in Colombo by which its pages are expected.
    #[schema(pattern = "^([01]\\d|2[0-3]):[0-5]\\d$", example = "06:30")]
    due_time: String,
    /// The number of pages that an issue has at least.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 200, default = 1)]
    min_pages: i32,
    /// Whether the newspaper appears on Poya days.
    prints_on_poya: bool,
    /// Whether the newspaper appears on other public holidays.
    prints_on_holidays: bool,
    /// The first day on which the newspaper is expected.
    #[schema(format = Date)]
    active_from: String,
    /// Whether the newspaper is not expected from today on.
    #[serde(default)]
    is_paused: bool,
}

const fn one() -> i32 {
    1
}

impl From<PaperForm> for PaperInput {
    fn from(form: PaperForm) -> Self {
        Self {
            name: form.name,
            spellings: form.spellings,
            weekdays: form.weekdays,
            due_time: form.due_time,
            min_pages: form.min_pages,
            prints_on_poya: form.prints_on_poya,
            prints_on_holidays: form.prints_on_holidays,
            active_from: form.active_from,
            is_paused: form.is_paused,
        }
    }
}

/// A change of an expected newspaper.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PaperChange {
    /// The version that was changed. A later one is not overwritten.
    version: i32,
    /// The newspaper after the change.
    paper: PaperForm,
}

/// The table of expected newspapers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedPapers {
    /// The newspapers by name, at most 200.
    papers: Vec<PaperView>,
}

/// An expected newspaper after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct OnePaper {
    /// The newspaper.
    paper: PaperView,
}

/// List expected newspapers
#[utoipa::path(get, path = "/operate/papers", tag = "operate", operation_id = "expectedPapers",
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The table of expected newspapers", body = Envelope<ListedPapers>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
))]
pub async fn list_papers(State(state): State<AppState>, _: Reviewer) -> ApiResult<ListedPapers> {
    let papers = expected_papers::all(&state.db).await?;
    Ok(Envelope::of(ListedPapers { papers: papers.into_iter().map(PaperView::from).collect() }))
}

/// Expect a newspaper
#[utoipa::path(post, path = "/operate/papers", tag = "operate", operation_id = "addExpectedPaper",
request_body = PaperForm, security(("operator" = []), ("session" = [])), responses(
    (status = 201, description = "The newspaper is expected", body = Envelope<OnePaper>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 409, description = "A spelling counts for another newspaper, or there are too many newspapers",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A value is invalid", body = FailureBody),
))]
pub async fn add_paper(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    Body(form): Body<PaperForm>,
) -> Result<(StatusCode, Envelope<OnePaper>), ServiceError> {
    let id = papers::add(&state, &actor, form.into()).await?;
    Ok((StatusCode::CREATED, Envelope::of(one_paper(&state, id).await?)))
}

/// Change an expected newspaper
///
/// A newspaper that is expected again after a pause is expected from today on.
#[utoipa::path(put, path = "/operate/papers/{id}", tag = "operate", operation_id = "changeExpectedPaper",
params(("id" = Uuid, Path, description = "`_id` of the newspaper")),
request_body = PaperChange, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The newspaper", body = Envelope<OnePaper>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "No such newspaper is expected", body = FailureBody),
    (status = 409, description = "Somebody else has changed the newspaper, or a spelling counts for another one",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A value is invalid", body = FailureBody),
))]
pub async fn change_paper(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
    Body(PaperChange { version, paper }): Body<PaperChange>,
) -> ApiResult<OnePaper> {
    papers::change(&state, &actor, id, version, paper.into()).await?;
    Ok(Envelope::of(one_paper(&state, id).await?))
}

/// Stop expecting a newspaper
///
/// Its pages stay. Notes that it did not appear are deleted.
#[utoipa::path(delete, path = "/operate/papers/{id}", tag = "operate", operation_id = "removeExpectedPaper",
params(("id" = Uuid, Path, description = "`_id` of the newspaper")),
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The newspaper is not expected any more", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "No such newspaper is expected", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn remove_paper(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    papers::remove(&state, &actor, id).await?;
    Ok(Envelope::of(NoData {}))
}

async fn one_paper(state: &AppState, id: Uuid) -> Result<OnePaper, ServiceError> {
    let found = expected_papers::find(&state.db, id).await?;
    let paper = found.ok_or(ServiceError::NotFound("Newspaper"))?.into();
    Ok(OnePaper { paper })
}
