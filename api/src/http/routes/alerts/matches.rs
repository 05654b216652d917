//! GET /alerts/{id}/matches: what an alert matched, with the words it was found by.

use super::find;
use crate::{
    app::state::AppState,
    base::paging::{PageQuery, Pagination},
    domain::alert::SeenMatch,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id, Query},
    },
    services::notifications::excerpt::excerpt,
    storage::matches,
};
use axum::extract::State;
use index::{
    percolate::MatchReason,
    tender::{FieldStates, Tender},
    vocabulary::Moment,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What an alert matched.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertMatches {
    /// The latest first.
    matches: Vec<MatchView>,
    /// Where the page stands.
    pagination: Pagination,
}

/// A tender that an alert matched.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MatchView {
    /// The tender, and the words.
    #[serde(flatten)]
    found: FoundTender,
    /// When it matched.
    at: Moment,
    /// The caller said that it does not belong there.
    is_irrelevant: bool,
}

/// A tender with the words it was found by.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoundTender {
    /// UUIDv7.
    #[serde(rename = "_id")]
    id: Uuid,
    /// What is bought, as printed.
    title: String,
    /// Who invites bids.
    organization: String,
    /// When bids close.
    closing: Option<Moment>,
    /// Which fields are doubtful or were not read, by path in JSON.
    field_states: FieldStates,
    /// When it was published here.
    published_at: Option<Moment>,
    /// The keyword, as its owner wrote it.
    keyword: String,
    /// Its sentence; none where the tender does not hold it any more.
    passage: Option<FoundPassage>,
}

/// A keyword in its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct FoundPassage {
    /// What stands before it.
    before: String,
    /// The words as printed.
    hit: String,
    /// What stands after it.
    after: String,
}

impl FoundTender {
    pub(super) fn of(id: Uuid, tender: Tender, why: MatchReason) -> Self {
        let (passage, field_states) = (excerpt(&tender, &why), tender.uncertain_fields());
        Self {
            id,
            passage: passage.map(|found| FoundPassage {
                before: found.before,
                hit: found.hit,
                after: found.after,
            }),
            title: tender.title,
            organization: tender.organization.name,
            closing: tender.dates.closing,
            field_states,
            published_at: tender.published_at,
            keyword: why.keyword,
        }
    }
}

impl From<SeenMatch> for MatchView {
    fn from(seen: SeenMatch) -> Self {
        Self {
            at: Moment::new(seen.at),
            is_irrelevant: seen.is_irrelevant,
            found: FoundTender::of(seen.tender_id, seen.tender, seen.why),
        }
    }
}

/// What an alert matched
#[utoipa::path(get, path = "/alerts/{id}/matches", tag = "alerts", operation_id = "alertMatches",
params(("id" = Uuid, Path, description = "`_id` of the alert"), PageQuery), security(("session" = [])), responses(
    (status = 200, description = "A page of it", body = Envelope<AlertMatches>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 422, description = "The id is no UUID, or a query value does not fit", body = FailureBody),
))]
pub async fn alert_matches(
    State(state): State<AppState>,
    caller: CurrentUser,
    Id(id): Id,
    Query(query): Query<PageQuery>,
) -> Answer<AlertMatches> {
    find(&state, &caller, id).await?;
    let page = (i64::from(query.limit), query.skip());
    let (seen, count) = matches::of_alert(&state.db, caller.id, id, page).await?;
    let pagination = Pagination::new(query.page, query.limit, count);
    Ok(Envelope::of(AlertMatches { matches: seen.into_iter().map(MatchView::from).collect(), pagination }))
}
