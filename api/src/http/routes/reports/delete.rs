//! DELETE /reports/{id}: deletes a report. Every plan permits the deletion.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathId},
    },
    storage::{self, reports as stored},
};
use axum::extract::State;

/// Delete a report
#[utoipa::path(delete, path = "/reports/{id}", tag = "reports", operation_id = "deleteReport",
params(("id" = Uuid, Path, description = "`_id` of the report")), security(("session" = [])), responses(
    (status = 200, description = "The report and its monthly mail are deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such report", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_report(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let mut tx = storage::begin(&state.db).await?;
    if !stored::remove(&mut tx, caller.id, id).await? {
        return Err(ServiceError::NotFound("Report"));
    }
    tx.commit().await?;
    Ok(Envelope::with_message("Report deleted", NoData {}))
}
