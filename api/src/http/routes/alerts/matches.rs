//! GET /alerts/{id}/matches: lists an alert's matches with the matching text.

use super::find;
use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::alert::AlertMatch,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, PathId, Query},
    },
    services::notifications::excerpt::{Excerpt, excerpt},
    storage::matches,
};
use axum::extract::State;
use index::percolate::MatchReason;
use serde::Serialize;
use tender_model::{
    tender::{FieldStates, Tender},
    vocabulary::Moment,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The matches of an alert.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertMatches {
    /// The matches, latest first.
    matches: Vec<MatchView>,
    /// The position of the page.
    pagination: Pagination,
}

/// A tender that an alert matched.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MatchView {
    /// The tender and the matching text.
    #[serde(flatten)]
    found: FoundTender,
    /// When the alert matched the tender.
    at: Moment,
    /// Whether the caller marked the match as irrelevant.
    is_irrelevant: bool,
}

/// A tender with the text that matched the alert.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoundTender {
    /// The tender's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The tender's title.
    title: String,
    /// The organisation that invites bids.
    organization: String,
    /// When bids close.
    closing: Option<Moment>,
    /// Which fields are uncertain or were not read, by JSON path.
    field_states: FieldStates,
    /// When the tender was published on the portal.
    published_at: Option<Moment>,
    /// The matching keyword, as the alert's owner entered it.
    keyword: String,
    /// The sentence with the keyword, shortened if it is long; `null` if the keyword cannot be
    /// found in the tender.
    passage: Option<FoundPassage>,
}

/// A keyword with the sentence around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct FoundPassage {
    /// The text before the keyword.
    before: String,
    /// The matching text, as printed.
    hit: String,
    /// The text after the keyword.
    after: String,
}

impl FoundPassage {
    /// Whether the keyword was found inside a word.
    pub(super) fn is_in_word(&self) -> bool {
        self.before.ends_with(char::is_alphanumeric) || self.after.starts_with(char::is_alphanumeric)
    }

    /// The passage of a tender in which a keyword was found.
    pub(super) fn of(tender: &Tender, why: &MatchReason) -> Option<Self> {
        excerpt(tender, why).map(|Excerpt { before, hit, after }| Self { before, hit, after })
    }
}

impl FoundTender {
    pub(super) fn of(id: Uuid, tender: Tender, why: MatchReason) -> Self {
        let (passage, field_states) = (FoundPassage::of(&tender, &why), tender.uncertain_fields());
        Self {
            id,
            passage,
            title: tender.title,
            organization: tender.organization.name,
            closing: tender.dates.closing,
            field_states,
            published_at: tender.published_at,
            keyword: why.keyword,
        }
    }
}

impl From<AlertMatch> for MatchView {
    fn from(seen: AlertMatch) -> Self {
        Self {
            at: Moment::new(seen.at),
            is_irrelevant: seen.is_irrelevant,
            found: FoundTender::of(seen.tender_id, seen.tender, seen.why),
        }
    }
}

/// List the matches of an alert
#[utoipa::path(get, path = "/alerts/{id}/matches", tag = "alerts", operation_id = "alertMatches",
params(("id" = Uuid, Path, description = "`_id` of the alert"), PageQuery), security(("session" = [])), responses(
    (status = 200, description = "One page of matches", body = Envelope<AlertMatches>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or a query value is invalid", body = FailureBody),
))]
pub async fn list_alert_matches(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Query(query): Query<PageQuery>,
) -> ApiResult<AlertMatches> {
    find(&state, &caller, id).await?;
    let page = (i64::from(query.limit), query.skip());
    let (seen, count) = matches::of_alert(&state.db, caller.id, id, page).await?;
    let pagination = Pagination::new(query.page, query.limit, count);
    Ok(Envelope::of(AlertMatches { matches: seen.into_iter().map(MatchView::from).collect(), pagination }))
}
