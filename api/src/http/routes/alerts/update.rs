//! PUT /alerts/{id}: replaces an alert. The new version applies to tenders that are published from
//! now on.

use super::{OneAlert, find, permit_channels, permit_filters, view};
use crate::services::alerts::form::AlertForm;
use crate::{
    app::state::AppState,
    domain::{error::ServiceError, seal_time},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::accounts::mailed_links,
    storage::{self, alerts, changes, digest_queue, users},
};
use axum::extract::State;

/// Update an alert
///
/// An inactive alert stays inactive. Matches that are still collected for a mail are sent at the
/// time that the new settings determine.
#[utoipa::path(put, path = "/alerts/{id}", tag = "alerts", operation_id = "updateAlert",
params(("id" = Uuid, Path, description = "`_id` of the alert")),
request_body = AlertForm, security(("session" = [])), responses(
    (status = 200, description = "Saved", body = Envelope<OneAlert>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 404, description = "The caller has no such alert", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid", body = FailureBody),
))]
pub async fn update_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    PathId(id): PathId,
    Body(form): Body<AlertForm>,
) -> ApiResult<OneAlert> {
    find(&state, &caller, id).await?;
    let alert = form.read().map_err(ServiceError::Invalid)?;
    permit_channels(&state, &caller, &alert.channels).await?;
    permit_filters(&state, &caller, &alert.query).await?;
    let mut tx = storage::begin(&state.db).await?;
    let revision = alerts::rewrite(&mut tx, caller.id, id, &alert, state.clock.now()).await?;
    let revision = revision.ok_or(ServiceError::NotFound("Alert"))?;
    let (now, email) = (state.clock.now(), &alert.email);
    let quiet = state.config.mail.collection_times().0;
    let seal_at = seal_time::seal_at(email.frequency, now, email.daily_summary_time, quiet);
    digest_queue::reschedule(&mut tx, id, email.frequency, seal_at).await?;
    let owner = alerts::owner(&mut *tx, id).await?;
    let owner =
        users::by_id(&mut *tx, owner, state.clock.now()).await?.ok_or(ServiceError::NotFound("Alert"))?;
    mailed_links::confirm_alert_address(&state, &mut tx, &owner, alert.email.custom_email.as_deref()).await?;
    changes::commit(tx, &[revision], &state.clock, &state.random).await?;
    let alert = view(&state, &caller, id).await?;
    Ok(Envelope::with_message("Alert configuration updated successfully!", OneAlert { alert }))
}
