//! GET /operate/review/truth: pages with what reviewers found on them, as `ingest eval` reads it.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    storage::page_truth,
};
use axum::extract::State;
use serde::Deserialize;
use tender_model::page_truth::{PageTruth, PageTruths, TruthOfPage};
use utoipa::IntoParams;
use uuid::Uuid;

/// The number of pages in a response.
const PAGE_SIZE: usize = 20;

/// The requested pages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PageTruthQuery {
    /// Only pages after the one with this id, which is `next` of the previous part.
    after: Option<Uuid>,
}

/// List what reviewers found on pages
///
/// A page is listed if a person has checked at least one of its notices. Texts that nobody has
/// checked are left out.
#[utoipa::path(get, path = "/operate/review/truth", tag = "review", operation_id = "pageTruths",
params(PageTruthQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<PageTruths>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_page_truth(
    State(state): State<AppState>,
    _: Reviewer,
    Query(query): Query<PageTruthQuery>,
) -> ApiResult<PageTruths> {
    let mut found = page_truth::pages(&state.db, query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let ids: Vec<Uuid> = found.iter().map(|page| page.id).collect();
    let texts = page_truth::texts(&state.db, &ids).await?;
    let pages = found.into_iter().map(|page| {
        let of_page = texts.iter().filter(|text| text.page_id == page.id);
        TruthOfPage {
            page: page.id,
            number: u32::try_from(page.number).unwrap_or(1),
            publication: page.publication,
            date: page.issue_date,
            file_name: page.file_name,
            file_hash: page.file_hash,
            is_stored: page.is_stored,
            truth: PageTruth::of(of_page.map(|text| (text.key.as_str(), text.is_notice, &text.record))),
        }
    });
    Ok(Envelope::of(PageTruths { pages: pages.collect(), next }))
}
