//! POST /alerts: creates an alert. The alert matches tenders that are published from now on.

use super::{OneAlert, permit_channels, permit_filters, require_alerts, view};
use crate::services::alerts::form::AlertForm;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, IdempotencyKey},
    },
    services::accounts::mailed_links,
    storage::{self, alerts, changes, users},
};
use anyhow::Context;
use axum::{extract::State, http::StatusCode};
use uuid::Uuid;

/// The maximum number of alerts of an account. A team shares the limit.
const MAX_ALERTS: i64 = 500;
/// The error for a repeated request with a different form.
const DIFFERENT_FORM: &str =
    "This alert was saved before you changed the form. Open it in the list to change it.";

/// Create an alert
///
/// If the alert has an address of its own that is not confirmed, a confirmation link is mailed to
/// this address. The alert's matches are mailed there after the link is opened.
#[utoipa::path(post, path = "/alerts", tag = "alerts", operation_id = "createAlert",
params(("Idempotency-Key" = Option<Uuid>, Header, description = "A UUID that identifies this submission. A \
        repeated request with the same UUID creates nothing and returns the alert in its current state")),
request_body = AlertForm, security(("session" = [])), responses(
    (status = 200, description = "Already created with this idempotency key", body = Envelope<OneAlert>),
    (status = 201, description = "The alert was created and is active", body = Envelope<OneAlert>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The alert created with this idempotency key was deleted", body = FailureBody),
    (status = 409, description = "The account has the maximum number of alerts", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid, or the idempotency key was used with a different form",
        body = FailureBody),
))]
pub async fn create_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    Body(form): Body<AlertForm>,
) -> Result<(StatusCode, Envelope<OneAlert>), ServiceError> {
    require_alerts(&state, &caller).await?;
    let digest = form.digest().context("computing the digest of an alert's form")?;
    let alert = form.read().map_err(ServiceError::Invalid)?;
    permit_channels(&state, &caller, &alert.channels).await?;
    permit_filters(&state, &caller, &alert.query).await?;
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    let mut tx = storage::begin(&state.db).await?;
    // Requests of a user run one at a time, so that they cannot exceed the limit together and a
    // repeated request finds the alert of the first.
    users::lock(&mut tx, caller.id).await?;
    if let Some(key) = key
        && let Some((existing_id, is_same)) = alerts::of_submission(&mut *tx, caller.id, key, &digest).await?
    {
        tx.rollback().await?;
        if !is_same {
            return Err(ServiceError::Invalid(vec![FieldError::new("Idempotency-Key", DIFFERENT_FORM)]));
        }
        return Ok((StatusCode::OK, created_response(&state, &caller, existing_id).await?));
    }
    if alerts::count(&mut *tx, caller.id).await? >= MAX_ALERTS {
        return Err(ServiceError::Conflict(format!("An account can have at most {MAX_ALERTS} alerts")));
    }
    let revision = alerts::insert(&mut tx, id, caller.id, &alert, now).await?;
    if let Some(key) = key {
        alerts::record_submission(&mut tx, id, key, &digest).await?;
    }
    mailed_links::confirm_alert_address(&state, &mut tx, &caller, alert.email.custom_email.as_deref())
        .await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    Ok((StatusCode::CREATED, created_response(&state, &caller, id).await?))
}

async fn created_response(state: &AppState, caller: &CurrentUser, id: Uuid) -> ApiResult<OneAlert> {
    let alert = view(state, caller, id).await?;
    Ok(Envelope::with_message("Alert configuration created successfully!", OneAlert { alert }))
}
