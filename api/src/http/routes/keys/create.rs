//! POST /keys: creates an API key and shows it once.

use super::KeyView;
use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::{
        api_key::ApiKey,
        error::{FieldError, ServiceError},
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CurrentUser},
        middleware::api_key::{self, Scope},
    },
    services::{
        accounts::security_mails::{self, SecurityEvent},
        entitlement::Entitlement,
    },
    storage::{self, api_keys, users},
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// The maximum number of keys of a user.
const MAX_KEYS: usize = 20;
/// The maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// An API key to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = KeyForm)]
pub struct KeyForm {
    /// The key's name, 1 to 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// The scopes of the key, at least one.
    #[schema(min_items = 1)]
    scopes: BTreeSet<Scope>,
}

/// A created key.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewKey {
    /// The key's description, without the secret.
    key: KeyView,
    /// The key to send as a bearer token. It is not stored and never shown again.
    secret: String,
}

/// Create an API key
#[utoipa::path(post, path = "/keys", tag = "keys", operation_id = "createKey",
request_body = KeyForm, security(("session" = [])), responses(
    (status = 201, description = "The new key. Its secret is returned only this once", body = Envelope<NewKey>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no API keys", body = FailureBody),
    (status = 409, description = "The caller has the maximum number of keys", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name or the scopes are invalid", body = FailureBody),
))]
pub async fn create_key(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<KeyForm>,
) -> Result<(StatusCode, Envelope<NewKey>), ServiceError> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_keys()?;
    let name = tender_model::terminal_text::single_line(&form.name).trim().to_owned();
    let mut errors = Vec::new();
    match name.chars().count() {
        0 => errors.push(FieldError::new("name", "Name is required")),
        count if count > MAX_NAME_LENGTH => {
            errors
                .push(FieldError::new("name", format!("Name must be at most {MAX_NAME_LENGTH} characters")));
        }
        _ => {}
    }
    if form.scopes.is_empty() {
        errors.push(FieldError::new("scopes", "Choose what the key may be used for"));
    }
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let (secret, prefix) = api_key::generate(&state.random);
    let key = ApiKey {
        id: state.random.id(&state.clock),
        name,
        prefix,
        scopes: form.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
        created_at: state.clock.now(),
        last_used_at: None,
    };
    let mut tx = storage::begin(&state.db).await?;
    users::lock(&mut tx, caller.id).await?;
    if api_keys::of_user(&mut *tx, caller.id).await?.len() >= MAX_KEYS {
        return Err(ServiceError::Conflict(format!("You have {MAX_KEYS} API keys; withdraw one first")));
    }
    api_keys::insert(&mut *tx, caller.id, &key, &secret_hash(&secret)).await?;
    security_mails::seal(&state, &mut tx, &caller, SecurityEvent::ApiKeyCreated(&key.name)).await?;
    tx.commit().await?;
    let created = NewKey { key: key.into(), secret };
    Ok((StatusCode::CREATED, Envelope::with_message("API key created", created)))
}
