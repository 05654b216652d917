//! GET /reports: lists the caller's reports.

use super::{MAX_REPORTS, ReportView};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::{entitlement::Entitlement, reports::MAX_ROWS},
    storage::reports as stored,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's reports.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// The reports, the last saved first.
    reports: Vec<ReportView>,
    /// The maximum number of reports that the caller may save.
    quota: i64,
    /// The maximum number of tenders in a file of a report.
    most_rows: usize,
}

/// List reports
#[utoipa::path(get, path = "/reports", tag = "reports", operation_id = "reports",
security(("session" = [])), responses(
    (status = 200, description = "All reports of the caller", body = Envelope<Reports>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
))]
pub async fn list_reports(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<Reports> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_reports()?;
    let reports = stored::of_user(&state.db, caller.id).await?.into_iter().map(ReportView::from).collect();
    Ok(Envelope::of(Reports { reports, quota: MAX_REPORTS, most_rows: MAX_ROWS }))
}
