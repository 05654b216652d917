//! POST /operate/mail/dead/{id}/retry and POST /operate/mail/retry: send messages again.

use super::read_filter;
use crate::{
    app::state::AppState,
    domain::{delivery::DeadFilter, error::ServiceError},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
    },
    services::notifications::undelivered,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Send an undelivered message again
#[utoipa::path(post, path = "/operate/mail/dead/{id}/retry", tag = "operate", operation_id = "retryMessage",
params(("id" = Uuid, Path, description = "`_id` of the message")), security(("session" = [])), responses(
    (status = 200, description = "The message is queued for sending", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such undelivered message", body = FailureBody),
    (status = 409, description = "The address is suppressed, or the message could not be composed",
        body = FailureBody),
    (status = 422, description = "The id is not a UUID", body = FailureBody),
))]
pub async fn retry_message(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<NoData> {
    undelivered::retry(&state.db, &state.clock, &actor, id).await?;
    Ok(Envelope::of(NoData {}))
}

/// The messages to send again. Without a filter: all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryForm {
    /// A part of the address.
    #[serde(default)]
    #[schema(max_length = 500)]
    address: Option<String>,
    /// A part of the reason.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// The number of messages that are sent again.
#[derive(Debug, Serialize, ToSchema)]
pub struct Retried {
    /// The number of messages.
    retried: u64,
}

/// Send undelivered messages again
///
/// Messages to suppressed addresses are not sent.
#[utoipa::path(post, path = "/operate/mail/retry", tag = "operate", operation_id = "retryMessages",
request_body = RetryForm, security(("session" = [])), responses(
    (status = 200, description = "The messages are queued for sending", body = Envelope<Retried>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A filter is too long", body = FailureBody),
))]
pub async fn retry_messages(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    Body(form): Body<RetryForm>,
) -> ApiResult<Retried> {
    let mut errors = Vec::new();
    let address = read_filter("address", form.address.as_deref(), &mut errors);
    let reason = read_filter("reason", form.reason.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let filter = DeadFilter { id: None, address, reason };
    let retried = undelivered::retry_all(&state.db, &state.clock, &actor, &filter).await?;
    Ok(Envelope::of(Retried { retried }))
}
