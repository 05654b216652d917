//! GET /alerts: lists the alerts of the caller and the caller's team.

use super::{AlertView, require_alerts};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::alerts,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The alerts of the caller and the caller's team.
#[derive(Debug, Serialize, ToSchema)]
pub struct Alerts {
    /// The alerts, newest first.
    alerts: Vec<AlertView>,
    /// The number of alerts.
    count: usize,
}

/// List alerts
#[utoipa::path(get, path = "/alerts", tag = "alerts", operation_id = "alerts",
security(("session" = [])), responses(
    (status = 200, description = "All alerts of the caller and the caller's team", body = Envelope<Alerts>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
))]
pub async fn list_alerts(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<Alerts> {
    require_alerts(&state, &caller).await?;
    let now = state.clock.now();
    let alerts = alerts::of_user(&state.db, caller.id, None).await?;
    let alerts: Vec<AlertView> = alerts.into_iter().map(|alert| AlertView::of(alert, now)).collect();
    Ok(Envelope::of(Alerts { count: alerts.len(), alerts }))
}
