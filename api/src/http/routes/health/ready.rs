//! GET /readyz and /livez, for service managers. Both routes are outside /api and not in the
//! OpenAPI document.

use super::read;
use crate::app::state::AppState;
use axum::{extract::State, http::StatusCode};

/// Responds with 200 if the database, the search and the matcher work, else with 503. The matcher may be in
/// another process. Then a process is ready without it. A process is also ready while a search cluster does
/// not respond, because no other process can search either, and everything else works.
pub async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    let health = read::check(&state).await;
    let matches = health.services.matching || !state.config.role().works();
    let is_shared = state.search_engine.shared_name().is_some();
    let searches =
        health.services.search || is_shared && state.progress.shared_index.is_as_good_as_elsewhere();
    if health.database && searches && matches {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

/// Responds with 200 as long as the process runs.
pub async fn live() -> &'static str {
    "alive\n"
}
