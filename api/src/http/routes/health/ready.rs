//! GET /readyz and /livez for service managers. They are outside /api and not part of the contract.

use super::read;
use crate::app::state::AppState;
use axum::{extract::State, http::StatusCode};

/// 200 if requests can be served, else 503.
pub async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    let health = read::of(&state).await;
    if health.database && health.services.search && health.services.matching {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

/// 200 as long as the process responds.
pub async fn live() -> &'static str {
    "alive\n"
}
