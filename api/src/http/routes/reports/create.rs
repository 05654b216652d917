//! POST /reports: saves a report.

use super::{MAX_REPORTS, OneReport, SubmittedReport};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::entitlement::Entitlement,
    storage::{self, reports as stored, users},
};
use axum::{extract::State, http::StatusCode};

/// Save a report
#[utoipa::path(post, path = "/reports", tag = "reports", operation_id = "createReport",
request_body = SubmittedReport, security(("session" = [])), responses(
    (status = 201, description = "Saved", body = Envelope<OneReport>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
    (status = 409, description = "The caller has the maximum number of reports", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Name, filters, period, columns or totals are invalid", body = FailureBody),
))]
pub async fn create_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<SubmittedReport>,
) -> Result<(StatusCode, Envelope<OneReport>), ServiceError> {
    let entitlement = Entitlement::of_user(Some(&caller), &state).await?;
    entitlement.permit_reports()?;
    let form = form.validated(&entitlement, &state)?;
    let mut tx = storage::begin(&state.db).await?;
    // Requests of a user run one at a time, so that they cannot exceed the limit together.
    users::lock(&mut tx, caller.id).await?;
    if stored::count(&mut *tx, caller.id).await? >= MAX_REPORTS {
        return Err(ServiceError::Conflict(format!("You have {MAX_REPORTS} reports; delete one first")));
    }
    let id = state.random.id(&state.clock);
    let report = stored::insert(&mut *tx, caller.id, id, &form, state.clock.now()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Envelope::with_message("Report saved", OneReport { report: report.into() })))
}
