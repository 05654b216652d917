//! GET /operate/pages: lists newspaper pages.

use super::PageView;
use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        newspaper_page::{PageFilter, PagePosition, PageState, PageWork},
        validation,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    services::{
        coverage::{overview, papers},
        search::list_query,
    },
    storage::{self, newspaper_pages},
};
use axum::extract::State;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested pages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PagesQuery {
    /// Only pages after this place, which is `next` of the previous part.
    #[param(max_length = 60)]
    after: Option<String>,
    /// Only pages in this state.
    state: Option<PageState>,
    /// Only pages whose newspaper contains this text.
    #[param(max_length = 200)]
    publication: Option<String>,
    /// Only pages of the expected newspaper with this id, in all its spellings.
    paper: Option<Uuid>,
    /// Only pages of this issue date.
    #[param(format = Date)]
    date: Option<String>,
    /// Only pages of the file with this id.
    file: Option<Uuid>,
}

/// A part of the list of pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedPages {
    /// The pages: the latest file first, each with its pages in order.
    pages: Vec<PageView>,
    /// Send this text as `after` to read the next part. `null`: there are no more pages.
    #[schema(required)]
    next: Option<String>,
    /// What waits, independent of the filters.
    work: PageWorkView,
}

/// What waits, is being read or needs attention.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PageWork)]
struct PageWorkView {
    /// The number of waiting pages, including those that are tried again.
    waiting: i64,
    /// The number of pages that are being read.
    leased: i64,
    /// The number of pages that were set aside.
    set_aside: i64,
    /// The number of workers that read a page or have asked for one in the last two minutes.
    workers: i64,
}

/// The number of pages in a response.
const PAGE_SIZE: usize = 50;
/// A worker that has not asked for a page for longer is not counted. An idle worker asks more often.
const WORKER_SILENCE: SignedDuration = SignedDuration::from_secs(120);

/// List newspaper pages
#[utoipa::path(get, path = "/operate/pages", tag = "operate", operation_id = "newspaperPages",
params(PagesQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ListedPages>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_pages(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<PagesQuery>,
) -> ApiResult<ListedPages> {
    let PagesQuery { after, state: page_state, publication, paper, date, file } = query;
    let mut errors = Vec::new();
    let publication = list_query::read_text(publication.as_deref(), &mut errors);
    let position = after.as_deref().and_then(parse_position);
    if after.is_some() && position.is_none() {
        errors.push(FieldError::new("after", "This is not the place of a page"));
    }
    let date = date.as_deref().map(validation::parse_day).transpose().unwrap_or_else(|message| {
        errors.push(FieldError::new("date", message));
        None
    });
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    // A text in Postgres can't contain NUL.
    let publication = publication.map(|text| text.replace('\0', ""));
    let spellings = match paper {
        Some(paper) => {
            Some(overview::spellings_as_read(&state, paper, date).await?.ok_or_else(papers::unknown_paper)?)
        }
        None => None,
    };
    let filter = PageFilter { state: page_state, publication, spellings, issue_date: date, file_id: file };
    let now = state.clock.now();
    let mut tx = storage::begin_list(&state.db).await?;
    let mut found = newspaper_pages::page(&mut *tx, &filter, position, PAGE_SIZE as i64 + 1, now).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| format!("{}.{}", last.file_id, last.number));
    let since = now.checked_sub(WORKER_SILENCE).unwrap_or(now);
    let PageWork { waiting, leased, set_aside, workers } =
        newspaper_pages::work(&mut *tx, since, now).await?;
    Ok(Envelope::of(ListedPages {
        pages: found.into_iter().map(PageView::from).collect(),
        next,
        work: PageWorkView { waiting, leased, set_aside, workers },
    }))
}

fn parse_position(text: &str) -> Option<PagePosition> {
    let (file, number) = text.split_once('.')?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some(PagePosition { file_id: Uuid::try_parse(file).ok()?, number })
}
