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
        reports::{self, MAX_ROWS},
    },
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Day;
use utoipa::ToSchema;

/// A preview of a report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportPreview {
    /// The number of tenders that match the report.
    total: usize,
    /// The maximum number of tenders in a file of the report.
    most_rows: usize,
    /// The first day of the report.
    #[schema(value_type = String, format = Date)]
    from: Day,
    /// The last day of the report.
    #[schema(value_type = String, format = Date)]
    until: Day,
    /// The query string of `GET /tenders` that lists the same tenders today.
    query: String,
    /// The first rows, at most twenty. The cells are as in the CSV file.
    rows: Vec<Vec<String>>,
}

/// Preview a report
#[utoipa::path(post, path = "/reports/preview", tag = "reports", operation_id = "previewReport",
request_body = ReportDefinition, security(("session" = [])), responses(
    (status = 200, description = "The preview", body = Envelope<ReportPreview>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Filters, period, columns or totals are invalid", body = FailureBody),
))]
pub async fn preview_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(definition): Body<ReportDefinition>,
) -> ApiResult<ReportPreview> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    entitlement.permit_reports()?;
    let definition = definition.validated(&entitlement, &state)?;
    let today = state.clock.moment().day();
    let (from, until) = definition.period.days(today).unwrap_or((today, today));
    let request = definition.request(&entitlement, &state, definition.period)?;
    let (total, rows) = reports::preview(&state, &definition, request, caller.language).await?;
    let query = definition.listing_query(definition.period, today);
    Ok(Envelope::of(ReportPreview { total, most_rows: MAX_ROWS, from, until, query, rows }))
}
