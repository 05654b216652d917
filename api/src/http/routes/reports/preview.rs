//! POST /reports/preview: the first rows of a report that need not be kept.

use crate::{
    app::state::AppState,
    domain::report::ReportDefinition,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::{
        entitlement::Entitlement,
        reports::{self, MOST_ROWS},
    },
};
use axum::extract::State;
use index::vocabulary::Day;
use serde::Serialize;
use utoipa::ToSchema;

/// What a report would be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportPreview {
    /// How many tenders there are.
    total: usize,
    /// How many of them a file holds at most.
    most_rows: usize,
    /// The first day that it is of.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last.
    #[schema(value_type = String, format = Date)]
    until: Day,
    /// What `GET /tenders` is asked for the same tenders today.
    query: String,
    /// At most twenty, each with the words of its columns as comma-separated values have them.
    rows: Vec<Vec<String>>,
}

/// The first rows of a report
#[utoipa::path(post, path = "/reports/preview", tag = "reports", operation_id = "previewReport",
request_body = ReportDefinition, security(("session" = [])), responses(
    (status = 200, description = "What it would be", body = Envelope<ReportPreview>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no reports", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Filters, period, columns or totals do not fit", body = FailureBody),
))]
pub async fn preview_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(asked): Body<ReportDefinition>,
) -> Answer<ReportPreview> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    entitlement.permit_reports()?;
    let asked = asked.checked(&entitlement, &state)?;
    let today = state.clock.moment().day();
    let (from, until) = asked.period.days(today).unwrap_or((today, today));
    let request = asked.request(&entitlement, &state, asked.period)?;
    let (total, rows) = reports::preview(&state, &asked, request, caller.language).await?;
    let query = asked.listing_query(asked.period, today);
    Ok(Envelope::of(ReportPreview { total, most_rows: MOST_ROWS, from, until, query, rows }))
}
