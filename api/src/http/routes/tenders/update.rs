//! PUT /tenders/{id}: edits the caller's tender or changes its status.

use super::read::{HELD_MESSAGE, TenderDetails};
use crate::services::tenders::form::TenderForm;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CallerAddress, CurrentUser, PathId},
    },
    services::tenders::publishing::{self, Editor},
};
use axum::{extract::State, http::HeaderMap};

/// Edit a tender
///
/// A tender that waits for a check by the portal keeps waiting, unless its owner sends the status
/// `draft`.
#[utoipa::path(put, path = "/tenders/{id}", tag = "tenders", operation_id = "updateTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")),
request_body = TenderForm, security(("session" = [])), responses(
    (status = 200, description = "The updated tender", body = Envelope<TenderDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The tender belongs to another account, or publishing needs a confirmed e-mail \
        address, or the plan's quota of tenders for this period is used up", body = FailureBody),
    (status = 404, description = "Not found, or not visible to this caller", body = FailureBody),
    (status = 409, description = "The tender's status does not permit the change, or too many tenders of the \
        caller wait for a check by the portal", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields of a published tender are invalid. A draft may contain invalid fields \
        and keeps the entered text", body = FailureBody),
))]
pub async fn update_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    CallerAddress(address): CallerAddress,
    PathId(id): PathId,
    headers: HeaderMap,
    Body(form): Body<TenderForm>,
) -> ApiResult<TenderDetails> {
    let editor = Editor { user: &caller, address };
    let tender = publishing::update(&state, editor, id, form).await?;
    let details = TenderDetails::of_own(&state, tender, &headers).await?;
    let message = if details.is_held() { HELD_MESSAGE } else { "Tender updated successfully" };
    Ok(Envelope::with_message(message, details))
}
