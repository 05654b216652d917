//! PUT /operate/messages/{id}: marks a message of the contact form as answered or open.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
    },
    services::contact,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The state of a message.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessageForm {
    /// Whether the message is answered.
    is_answered: bool,
    /// A note for other administrators, which replaces the previous note.
    #[serde(default)]
    #[schema(max_length = 500)]
    note: Option<String>,
}

/// Mark a message as answered or open
#[utoipa::path(put, path = "/operate/messages/{id}", tag = "operate", operation_id = "updateContactMessage",
params(("id" = Uuid, Path, description = "`_id` of the message")),
request_body = MessageForm, security(("session" = [])), responses(
    (status = 200, description = "The message has this state", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such message", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or the note is too long", body = FailureBody),
))]
pub async fn update_message(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<MessageForm>,
) -> ApiResult<NoData> {
    contact::set_answered(&state, &actor, id, form.is_answered, form.note.as_deref()).await?;
    Ok(Envelope::of(NoData {}))
}
