//! PUT /tenders/{id}: edits a tender of the caller's own, or moves it to another status.

use super::{Looks, TenderView, form::TenderForm, read::TenderDetails};
use crate::{
    auth::CurrentUser,
    edge::{Answer, Body, Envelope, Id},
    error::FailureBody,
    publishing,
    state::AppState,
};
use axum::extract::State;

/// Edit a tender
#[utoipa::path(put, path = "/tenders/{id}", tag = "tenders", operation_id = "updateTender",
params(("id" = Uuid, Path, description = "`_id` of the tender")), request_body = TenderForm, security(("session" = [])), responses(
    (status = 200, description = "As it stands now", body = Envelope<TenderDetails>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Another's tender, or the plan's tenders of this month are used up", body = FailureBody),
    (status = 404, description = "There is none, or it is not for this caller", body = FailureBody),
    (status = 409, description = "Its status does not permit it", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields do not fit", body = FailureBody),
))]
pub async fn update_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    Id(id): Id,
    Body(form): Body<TenderForm>,
) -> Answer<TenderDetails> {
    let tender = publishing::update(&state, &caller, id, form).await?;
    let statistics = Looks::at(&state, &[id]).await?.of(id);
    let tender = TenderView::of(tender, statistics, false, &state);
    Ok(Envelope::saying(
        "Tender updated successfully",
        TenderDetails { tender, intends: false, is_saved: false, fetches_documents: true },
    ))
}
