//! POST /tenders: creates a tender as a draft or published.

use super::read::{HELD_MESSAGE, TenderDetails};
use crate::services::tenders::form::TenderForm;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser, IdempotencyKey},
    },
    services::tenders::publishing,
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};

/// Create a tender
///
/// If the portal checks the first publication of a new publisher, the tender of such a publisher is
/// stored as a draft with `moderation.heldAt` instead of being published.
#[utoipa::path(post, path = "/tenders", tag = "tenders", operation_id = "createTender",
params(("Idempotency-Key" = Option<Uuid>, Header, description = "A UUID that identifies this submission. A \
        repeated request with the same UUID creates nothing and returns the tender")),
request_body = TenderForm, security(("session" = [])), responses(
    (status = 200, description = "Already created with this idempotency key", body = Envelope<TenderDetails>),
    (status = 201, description = "The tender was created", body = Envelope<TenderDetails>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller's role does not permit publishing, or publishing needs a confirmed \
        e-mail address, or the plan's quota of tenders for this period is used up", body = FailureBody),
    (status = 409, description = "Too many tenders of the caller wait for a check by the portal, or the caller has \
        too many drafts or has created too many today", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields of a tender to publish are invalid. A draft may contain invalid fields \
        and keeps the entered text", body = FailureBody),
))]
pub async fn create_tender(
    State(state): State<AppState>,
    caller: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    headers: HeaderMap,
    Body(form): Body<TenderForm>,
) -> Result<(StatusCode, Envelope<TenderDetails>), ServiceError> {
    let saved = publishing::create(&state, &caller, form, key).await?;
    let status = if saved.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let details = TenderDetails::of_own(&state, saved.tender, &headers).await?;
    let message = if details.is_held() { HELD_MESSAGE } else { "Tender created successfully" };
    Ok((status, Envelope::with_message(message, details)))
}
