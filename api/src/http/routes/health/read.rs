//! GET /health: reads the state of the portal, which the navigation bar shows.

use crate::{
    app::{progress::JobProgress, state::AppState},
    http::envelope::{ApiResult, Envelope},
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The state of the components.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// Whether the database responds.
    pub database: bool,
    /// Whether the components that depend on the database work.
    pub services: Services,
}

/// The components that depend on the database.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Services {
    /// Whether listing, search and statistics work.
    pub search: bool,
    /// Whether alerts are matched.
    pub matching: bool,
    /// Whether mail is sent.
    pub mail: bool,
}

/// Read the state of the portal
#[utoipa::path(get, path = "/health", tag = "health", operation_id = "health", responses(
    (status = 200, description = "The state of each component", body = Envelope<Health>),
))]
pub async fn read_health(State(state): State<AppState>) -> ApiResult<Health> {
    Ok(Envelope::of(check(&state).await))
}

/// Checks all components.
pub async fn check(state: &AppState) -> Health {
    let database = state.database_probe.responds().await;
    let works = |job: &tokio::sync::watch::Sender<JobProgress>| database && job.borrow().ready;
    let services = Services {
        search: works(&state.progress.index),
        matching: works(&state.progress.matcher),
        mail: works(&state.progress.sealing) && works(&state.progress.sending),
    };
    Health { database, services }
}
