//! DELETE /tenders/{id}: deletes a draft or withdraws a published tender.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CallerAddress, CurrentUser, PathId},
    },
    services::tenders::publishing::{self, Editor},
};
use axum::extract::State;

/// Delete a draft, or withdraw a published tender
#[utoipa::path(delete, path = "/tenders/{id}", tag = "tenders", operation_id = "deleteTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "The tender was deleted or withdrawn", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The tender belongs to another account", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit its withdrawal", body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn delete_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    CallerAddress(address): CallerAddress,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    let is_deleted = publishing::delete(&state, Editor { user: &caller, address }, id).await?;
    let message = if is_deleted { "Tender deleted" } else { "Tender withdrawn" };
    Ok(Envelope::with_message(message, NoData {}))
}
