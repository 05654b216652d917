//! GET /subscriptions/verify-session/{sessionId}: whether the caller's checkout was paid.

use crate::{
    app::state::AppState,
    base::i18n::messages,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Name},
    },
    services::billing::checkout,
};
use axum::{extract::State, http::HeaderMap};

/// Whether a checkout was paid
///
/// `success` is false, with a message, while it is not known to be. The provider may be asked, and the subscription then begins.
#[utoipa::path(get, path = "/subscriptions/verify-session/{sessionId}", tag = "subscriptions", operation_id = "verifySession",
params(("sessionId" = String, Path, description = "As the provider's page gave it back")),
security(("session" = [])), responses(
    (status = 200, description = "Paid, or not yet", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such checkout", body = FailureBody),
))]
pub async fn verify_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    Name(session): Name,
    headers: HeaderMap,
) -> Answer<Empty> {
    let (success, said) = checkout::verify(&state.billing(), &caller, &session).await?;
    // No refusal, so that nobody translates it on its way out.
    let words = messages::translated(said, messages::asked_for(&headers));
    Ok(Envelope { success, message: Some(words.unwrap_or_else(|| said.to_owned())), data: Empty {} })
}
