//! GET /readyz and /livez, for service managers. Both routes are outside /api and not in the
//! OpenAPI document.

use super::read;
use crate::app::state::AppState;
use axum::{extract::State, http::StatusCode};

/// Responds with 200 if the database, the search and the matcher work, else with 503.
pub async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    let health = read::check(&state).await;
    if health.database && health.services.search && health.services.matching {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

/// Responds with 200 as long as the process runs.
pub async fn live() -> &'static str {
    "alive\n"
}
