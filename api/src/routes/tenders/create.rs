//! POST /tenders: a tender of the caller's own, as a draft or published at once.

use super::{Looks, TenderView, form::TenderForm, read::TenderDetails};
use crate::{
    auth::CurrentUser,
    edge::{Body, Envelope, Submission},
    error::{ApiError, FailureBody},
    publishing,
    state::AppState,
};
use axum::{extract::State, http::StatusCode};

/// Create a tender
#[utoipa::path(post, path = "/tenders", tag = "tenders", operation_id = "createTender",
params(("Idempotency-Key" = Option<Uuid>, Header, description = "A UUID for this sending of the form: sent again, it answers with the tender that it made")),
request_body = TenderForm, security(("session" = [])), responses(
    (status = 200, description = "This submission made it before", body = Envelope<TenderDetails>),
    (status = 201, description = "A new tender", body = Envelope<TenderDetails>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "Not a supplier, or the plan's tenders of this month are used up", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields do not fit", body = FailureBody),
))]
pub async fn create_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    Submission(submission): Submission,
    Body(form): Body<TenderForm>,
) -> Result<(StatusCode, Envelope<TenderDetails>), ApiError> {
    let saved = publishing::create(&state, &caller, form, submission).await?;
    let status = if saved.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let statistics = Looks::at(&state, &[saved.tender.id]).await?.of(saved.tender.id);
    let tender = TenderView::of(saved.tender, statistics, false, &state);
    Ok((
        status,
        Envelope::saying(
            "Tender created successfully",
            TenderDetails { tender, intends: false, is_saved: false, fetches_documents: true },
        ),
    ))
}
