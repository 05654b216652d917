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
/// `success` is false, with a message, until the payment is confirmed. The provider may be queried,
/// and the subscription then begins.
#[utoipa::path(get, path = "/subscriptions/verify-session/{sessionId}", tag = "subscriptions", operation_id = "verifySession",
params(("sessionId" = String, Path, description = "As the provider's page gave it back")),
security(("session" = [])), responses(
    (status = 200, description = "Paid, or not yet", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such checkout", body = FailureBody),
))]
pub async fn verify_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathName(session): PathName,
    headers: HeaderMap,
) -> ApiResult<NoData> {
    let (success, said) = checkout::verify(&state.billing(), &caller, &session).await?;
    // Not a failure, so that the request log does not translate it.
    let words = messages::translated(said, messages::asked_for(&headers));
    Ok(Envelope { success, message: Some(words.unwrap_or_else(|| said.to_owned())), data: NoData {} })
}
