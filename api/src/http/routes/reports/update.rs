//! PUT /reports/{id}: replaces a report, including its name and monthly mail.

use super::{OneReport, SubmittedReport};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::entitlement::Entitlement,
    storage::reports as stored,
};
use axum::extract::State;

/// Update a report
#[utoipa::path(put, path = "/reports/{id}", tag = "reports", operation_id = "updateReport",
params(("id" = Uuid, Path, description = "`_id` of the report")),
request_body = SubmittedReport, security(("session" = [])), responses(
    (status = 200, description = "The updated report", body = Envelope<OneReport>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
    (status = 404, description = "The caller has no such report", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Name, filters, period, columns or totals are invalid", body = FailureBody),
))]
pub async fn update_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<SubmittedReport>,
) -> ApiResult<OneReport> {
    // Reports of other users get 404, regardless of the plan.
    stored::get(&state.db, caller.id, id).await?.ok_or(ServiceError::NotFound("Report"))?;
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    entitlement.permit_reports()?;
    let form = form.validated(&entitlement, &state)?;
    let report = stored::update(&state.db, caller.id, id, &form, state.clock.now()).await?;
    let report = report.ok_or(ServiceError::NotFound("Report"))?.into();
    Ok(Envelope::with_message("Report saved", OneReport { report }))
}
