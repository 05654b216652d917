//! POST /operate/pages/{id}/reading, PUT /operate/pages/{id}/issue and DELETE /operate/pages/{id}: lets
//! a page be read again, also as a page of another issue, and forgets a page that was not read.

use super::{
    PageView,
    upload::{parse_issue_date, parse_publication},
};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, PathId, Reviewer},
    },
    services::newspaper_pages::manage,
    storage::newspaper_pages,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A page after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct OnePage {
    /// The page.
    page: PageView,
}

/// Read a page again
///
/// The page waits for a worker, also if it was set aside. Its last result stays until then.
#[utoipa::path(post, path = "/operate/pages/{id}/reading", tag = "operate", operation_id = "readPageAgain",
params(("id" = Uuid, Path, description = "The page's id")), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The page", body = Envelope<OnePage>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page", body = FailureBody),
    (status = 409, description = "The portal does not have the file of the page", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn read_page_again(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
) -> ApiResult<OnePage> {
    manage::read_again(&state, &actor, id).await?;
    let found = newspaper_pages::find(&state.db, id, state.clock.now()).await?;
    let page = found.ok_or(ServiceError::NotFound("Page"))?.into();
    Ok(Envelope::of(OnePage { page }))
}

/// The newspaper and the issue date of a file of pages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PageIssueForm {
    /// The newspaper, in one line of at most 100 characters. Empty: it is read from the page.
    publication: String,
    /// The issue date. `null`: it is read from the page.
    #[schema(format = Date, required)]
    date: Option<String>,
}

/// Correct the newspaper or the issue date
///
/// All pages of the file are read again. Their notices keep their keys, so the tenders stay and get the
/// corrected issue.
#[utoipa::path(put, path = "/operate/pages/{id}/issue", tag = "operate", operation_id = "correctPageIssue",
params(("id" = Uuid, Path, description = "The page's id")), request_body = PageIssueForm,
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The page", body = Envelope<OnePage>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page", body = FailureBody),
    (status = 409, description = "The portal does not have the file of the page", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A value is invalid", body = FailureBody),
))]
pub async fn correct_page_issue(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
    Body(form): Body<PageIssueForm>,
) -> ApiResult<OnePage> {
    let publication = parse_publication(&form.publication)?;
    let date = form.date.as_deref().map(parse_issue_date).transpose()?;
    manage::correct_issue(&state, &actor, id, &publication, date).await?;
    let found = newspaper_pages::find(&state.db, id, state.clock.now()).await?;
    let page = found.ok_or(ServiceError::NotFound("Page"))?.into();
    Ok(Envelope::of(OnePage { page }))
}

/// Forget a page
///
/// Only a page that is not being read and was not read can be forgotten. The file is deleted with
/// its last page.
#[utoipa::path(delete, path = "/operate/pages/{id}", tag = "operate", operation_id = "forgetPage",
params(("id" = Uuid, Path, description = "The page's id")), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The page is forgotten", body = Envelope<NoData>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no such page", body = FailureBody),
    (status = 409, description = "The page is being read or was read", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn forget_page(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    manage::forget(&state, &actor, id).await?;
    Ok(Envelope::of(NoData {}))
}
