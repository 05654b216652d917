//! DELETE /tenders/{id}: a draft is deleted, a published tender withdrawn.

use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Id},
    },
    services::tenders::publishing,
};
use axum::extract::State;

/// Delete a draft, or withdraw a published tender
#[utoipa::path(delete, path = "/tenders/{id}", tag = "tenders", operation_id = "deleteTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), security(("session" = [])), responses(
    (status = 200, description = "Done", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Another's tender", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this caller", body = FailureBody),
    (status = 409, description = "Its status does not permit it", body = FailureBody),
    (status = 422, description = "The id is no UUID", body = FailureBody),
))]
pub async fn delete_tender(State(state): State<AppState>, caller: CurrentUser, Id(id): Id) -> Answer<Empty> {
    let is_gone = publishing::delete(&state, &caller, id).await?;
    let message = if is_gone { "Tender deleted" } else { "Tender withdrawn" };
    Ok(Envelope::saying(message, Empty {}))
}
