//! GET /reports/{id}/file and POST /reports/file: downloads a saved or unsaved report.

use crate::{
    app::state::AppState,
    domain::{error::ServiceError, report::ReportDefinition},
    http::{
        error::FailureBody,
        extract::{Body, CurrentUser, PathId, Query},
    },
    services::{
        entitlement::Entitlement,
        reports::{Format, MAX_NAME_LENGTH, ReportSource},
    },
    storage::reports as stored,
};
use axum::{
    body::Body as HttpBody,
    extract::State,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tokio_util::io::ReaderStream;
use utoipa::{IntoParams, ToSchema};

/// The header with the number of tenders that match the report. The file may contain fewer.
const TOTAL_COUNT_HEADER: HeaderName = HeaderName::from_static("x-total-count");

/// The query of the route.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// The file format.
    #[param(inline)]
    format: Format,
}

/// A report to download without saving it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ReportFileForm)]
pub struct FileForm {
    /// The report's name, from which the file name is made. It is also the heading of a workbook's
    /// second sheet.
    #[serde(default)]
    #[schema(max_length = 100)]
    name: String,
    /// The report's definition.
    asked: ReportDefinition,
    /// The file format.
    format: Format,
}

/// Download a report
///
/// The file contains comma-separated values in UTF-8, or is a workbook with totals on a second
/// sheet. It contains at most 10,000 tenders. The header `x-total-count` has the number of tenders
/// that match the report.
#[utoipa::path(get, path = "/reports/{id}/file", tag = "reports", operation_id = "reportFile",
params(("id" = Uuid, Path, description = "`_id` of the report"), FileQuery), security(("session" = [])), responses(
    (status = 200, description = "The file",
        content((Vec<u8> = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        headers(("x-total-count" = u64, description = "The total number of tenders"))),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
    (status = 404, description = "The caller has no such report", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or the file format is unknown", body = FailureBody),
    (status = 429, description = "Too many reports in a minute", body = FailureBody),
))]
pub async fn read_report_file(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Query(query): Query<FileQuery>,
) -> Result<Response, ServiceError> {
    // Reports of other users get 404, regardless of the plan.
    let report = stored::get(&state.db, caller.id, id).await?.ok_or(ServiceError::NotFound("Report"))?;
    let entitlement = require_reports(&state, &caller).await?;
    let definition = report.definition;
    state.limits.try_acquire_report(caller.id).await?;
    file_response(&state, &caller, &entitlement, (&report.name, &definition), query.format).await
}

/// Download a report without saving it
#[utoipa::path(post, path = "/reports/file", tag = "reports", operation_id = "makeReportFile",
request_body = FileForm, security(("session" = [])), responses(
    (status = 200, description = "The file",
        content((Vec<u8> = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        headers(("x-total-count" = u64, description = "The total number of tenders"))),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no reports", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Filters, period, columns or totals are invalid", body = FailureBody),
    (status = 429, description = "Too many reports in a minute", body = FailureBody),
))]
pub async fn make_report_file(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<FileForm>,
) -> Result<Response, ServiceError> {
    let entitlement = require_reports(&state, &caller).await?;
    let name: String =
        tender_model::terminal_text::single_line(&form.name).trim().chars().take(MAX_NAME_LENGTH).collect();
    let definition = form.asked.validated(&entitlement, &state)?;
    state.limits.try_acquire_report(caller.id).await?;
    file_response(&state, &caller, &entitlement, (&name, &definition), form.format).await
}

async fn require_reports(state: &AppState, caller: &CurrentUser) -> Result<Entitlement, ServiceError> {
    let entitlement = Entitlement::of_user(Some(caller), state).await?;
    entitlement.permit_reports()?;
    Ok(entitlement)
}

async fn file_response(
    state: &AppState,
    caller: &CurrentUser,
    entitlement: &Entitlement,
    (name, definition): (&str, &ReportDefinition),
    format: Format,
) -> Result<Response, ServiceError> {
    let source =
        ReportSource::new(state, entitlement, (name, definition, definition.period), caller.language)?;
    let file_name = source.file_name(format);
    let file = source.write_to_disk(state, format).await?;
    let headers = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (header::CONTENT_LENGTH, file.length.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file_name}\"")),
        (TOTAL_COUNT_HEADER, file.found.total.to_string()),
    ];
    Ok((headers, HttpBody::from_stream(ReaderStream::new(file.file))).into_response())
}
