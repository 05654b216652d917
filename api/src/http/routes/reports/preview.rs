//! POST /reports/preview: shows the first rows of an unsaved report.

use crate::{
    app::state::AppState,
    domain::report::ReportDefinition,
    http::{
        envelope::{ApiResult, Envelope},
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

/// A preview of a report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportPreview {
    /// The number of tenders.
    total: usize,
    /// The maximum number of tenders in a file.
    most_rows: usize,
    /// The first day of the report.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last day.
    #[schema(value_type = String, format = Date)]
    until: Day,
    /// The query of `GET /tenders` for the same tenders today.
    query: String,
    /// At most twenty rows, with cells as in comma-separated values.
    rows: Vec<Vec<String>>,
}

/// Preview a report
#[utoipa::path(post, path = "/reports/preview", tag = "reports", operation_id = "previewReport",
request_body = ReportDefinition, security(("session" = [])), responses(
    (status = 200, description = "The preview", body = Envelope<ReportPreview>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no reports", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Filters, period, columns or totals are invalid", body = FailureBody),
))]
pub async fn preview_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(asked): Body<ReportDefinition>,
) -> ApiResult<ReportPreview> {
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
