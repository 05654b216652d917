//! POST /operate/gazetteer: adds a name.

use super::NameForm;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Administrator, Body},
    },
    services::gazetteer,
};
use axum::{extract::State, http::StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The added name.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddedName {
    /// The id of the name.
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Add a name to the gazetteer
///
/// The name is confirmed at once, so that the readers use it.
#[utoipa::path(post, path = "/operate/gazetteer", tag = "operate", operation_id = "addName",
request_body = NameForm, security(("session" = [])), responses(
    (status = 201, description = "The name was added", body = Envelope<AddedName>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 409, description = "The gazetteer has this name already", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name is invalid", body = FailureBody),
))]
pub async fn add_name(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    Body(form): Body<NameForm>,
) -> Result<(StatusCode, Envelope<AddedName>), ServiceError> {
    let id = gazetteer::add(&state, &actor, form.into()).await?;
    Ok((StatusCode::CREATED, Envelope::of(AddedName { id })))
}
