//! POST /alerts: a new alert. It matches tenders that are published from now on.

use super::{OneAlert, find, form::AlertForm, permit, permit_channels};
use crate::{
    auth::{CurrentUser, mailed_link},
    db::{alerts, changes, users},
    edge::{Body, Envelope},
    error::{ApiError, FailureBody},
    state::AppState,
};
use axum::{extract::State, http::StatusCode};

/// The most alerts of one account.
const MOST_ALERTS: i64 = 500;

/// Save a new alert
///
/// An address of its own is mailed a link first, and alerts only once that was followed.
#[utoipa::path(post, path = "/alerts", tag = "alerts", operation_id = "createAlert", request_body = AlertForm,
security(("session" = [])), responses(
    (status = 201, description = "Saved, and active", body = Envelope<OneAlert>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has no alerts", body = FailureBody),
    (status = 409, description = "The account has as many alerts as it can", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields do not fit", body = FailureBody),
))]
pub async fn create_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<AlertForm>,
) -> Result<(StatusCode, Envelope<OneAlert>), ApiError> {
    permit(&state, &caller).await?;
    let alert = form.read().map_err(ApiError::Invalid)?;
    permit_channels(&state, &caller, &alert.channels).await?;
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    let mut tx = state.db.begin().await?;
    // Two at once can't both take the last place.
    users::lock(&mut tx, caller.id).await?;
    if alerts::count(&mut *tx, caller.id).await? >= MOST_ALERTS {
        return Err(ApiError::Conflict(format!("An account can have at most {MOST_ALERTS} alerts")));
    }
    let revision = alerts::insert(&mut tx, id, caller.id, &alert, now).await?;
    mailed_link::ask_for_alerts(&state, &mut tx, &caller, alert.email.custom_email.as_deref()).await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    let alert = find(&state, &caller, id).await?.into();
    Ok((
        StatusCode::CREATED,
        Envelope::saying("Alert configuration created successfully!", OneAlert { alert }),
    ))
}
