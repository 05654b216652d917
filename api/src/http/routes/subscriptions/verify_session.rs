//! GET /subscriptions/verify-session/{sessionId}: checks whether the caller's checkout was paid.

use crate::{
    app::state::AppState,
    base::i18n::messages,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{CurrentUser, PathName},
    },
    services::billing::checkout,
};
use axum::{extract::State, http::HeaderMap};

/// Check whether a checkout was paid
///
/// `success` is false, with a message, until the payment is confirmed. The portal may ask the
/// provider. If the checkout was paid, the subscription begins.
#[utoipa::path(get, path = "/subscriptions/verify-session/{sessionId}", tag = "subscriptions", operation_id = "verifySession",
params(("sessionId" = String, Path, description = "The session id that the provider's page returned")),
security(("session" = [])), responses(
    (status = 200, description = "Whether the checkout was paid", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such checkout", body = FailureBody),
))]
pub async fn verify_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathName(session): PathName,
    headers: HeaderMap,
) -> ApiResult<NoData> {
    let (success, message) = checkout::verify(&state.billing(), &caller, &session).await?;
    // The request log translates only failures, so this message is translated here.
    let translated = messages::translate(message, messages::preferred_language(&headers));
    Ok(Envelope { success, message: Some(translated.unwrap_or_else(|| message.to_owned())), data: NoData {} })
}
