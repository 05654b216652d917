//! GET /reports: the caller's.

use super::{MOST, ReportView};
use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::{entitlement::Entitlement, reports::MOST_ROWS},
    storage::reports as stored,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's reports.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// The last kept first.
    reports: Vec<ReportView>,
    /// How many may be kept.
    quota: i64,
    /// How many tenders a file holds at most.
    most_rows: usize,
}

/// The caller's reports
#[utoipa::path(get, path = "/reports", tag = "reports", operation_id = "reports", security(("session" = [])), responses(
    (status = 200, description = "All of them", body = Envelope<Reports>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no reports", body = FailureBody),
))]
pub async fn reports(State(state): State<AppState>, caller: CurrentUser) -> Answer<Reports> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_reports()?;
    let reports = stored::of_user(&state.db, caller.id).await?.into_iter().map(ReportView::from).collect();
    Ok(Envelope::of(Reports { reports, quota: MOST, most_rows: MOST_ROWS }))
}
