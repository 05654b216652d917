//! GET /readyz and /livez, for whatever starts and stops the process; outside /api and not part of its contract.

use super::read;
use crate::app::state::AppState;
use axum::{extract::State, http::StatusCode};

/// 200 when requests can be served, 503 while they can't.
pub async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    let health = read::of(&state).await;
    if health.database && health.services.search && health.services.matching {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

/// 200 as long as the process answers at all.
pub async fn live() -> &'static str {
    "alive\n"
}
