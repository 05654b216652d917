//! POST /alerts: creates an alert. It matches tenders published from now on.

use super::{OneAlert, find, permit, permit_channels};
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
    storage::{alerts, changes, users},
};
use anyhow::Context;
use axum::{extract::State, http::StatusCode};
use uuid::Uuid;

/// The maximum number of alerts of one account.
const MOST_ALERTS: i64 = 500;
const OTHER_FORM: &str =
    "This alert was saved before you changed the form. Open it in the list to change it.";

/// Create an alert
///
/// An address of its own first gets a confirmation link; alerts go there once the link was
/// followed.
#[utoipa::path(post, path = "/alerts", tag = "alerts", operation_id = "createAlert",
params(("Idempotency-Key" = Option<Uuid>, Header, description = "A UUID for this sending of the form: sent again, it answers with the alert that it made, as that is by now")),
request_body = AlertForm, security(("session" = [])), responses(
    (status = 200, description = "Already created with this idempotency key", body = Envelope<OneAlert>),
    (status = 201, description = "Saved, and active", body = Envelope<OneAlert>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 404, description = "The alert created with this idempotency key was deleted", body = FailureBody),
    (status = 409, description = "The account has as many alerts as it can", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid, or this sending made an alert of another form", body = FailureBody),
))]
pub async fn create_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    IdempotencyKey(key): IdempotencyKey,
    Body(form): Body<AlertForm>,
) -> Result<(StatusCode, Envelope<OneAlert>), ServiceError> {
    permit(&state, &caller).await?;
    let digest = form.digest().context("digesting an alert's form")?;
    let alert = form.read().map_err(ServiceError::Invalid)?;
    permit_channels(&state, &caller, &alert.channels).await?;
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    let mut tx = state.db.begin().await?;
    // Serialises requests of one user, for the limit of alerts and for the idempotency key.
    users::lock(&mut tx, caller.id).await?;
    if let Some(key) = key
        && let Some((made, is_same)) = alerts::of_submission(&mut *tx, caller.id, key, &digest).await?
    {
        tx.rollback().await?;
        if !is_same {
            return Err(ServiceError::Invalid(vec![FieldError::new("Idempotency-Key", OTHER_FORM)]));
        }
        return Ok((StatusCode::OK, told(&state, &caller, made).await?));
    }
    if alerts::count(&mut *tx, caller.id).await? >= MOST_ALERTS {
        return Err(ServiceError::Conflict(format!("An account can have at most {MOST_ALERTS} alerts")));
    }
    let revision = alerts::insert(&mut tx, id, caller.id, &alert, now).await?;
    if let Some(key) = key {
        alerts::note_submission(&mut tx, id, key, &digest).await?;
    }
    mailed_links::ask_for_alerts(&state, &mut tx, &caller, alert.email.custom_email.as_deref()).await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    Ok((StatusCode::CREATED, told(&state, &caller, id).await?))
}

async fn told(state: &AppState, caller: &CurrentUser, id: Uuid) -> ApiResult<OneAlert> {
    let alert = find(state, caller, id).await?.into();
    Ok(Envelope::saying("Alert configuration created successfully!", OneAlert { alert }))
}
