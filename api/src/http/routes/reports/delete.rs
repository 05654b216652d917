//! DELETE /reports/{id}: lets a report go, whatever the plan is by now.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id},
    },
    storage::reports as stored,
};
use axum::extract::State;

/// Delete a report
#[utoipa::path(delete, path = "/reports/{id}", tag = "reports", operation_id = "deleteReport",
params(("id" = Uuid, Path, description = "`_id` of the report")), security(("session" = [])), responses(
    (status = 200, description = "Gone, and its monthly mail with it", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such report", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn delete_report(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    let mut tx = state.db.begin().await?;
    if !stored::remove(&mut tx, caller.id, id).await? {
        return Err(ServiceError::NotFound("Report"));
    }
    tx.commit().await?;
    Ok(Envelope::saying("Report deleted", Empty {}))
}
