//! GET /health: the state shown in the navigation bar.

use crate::{
    app::{progress::JobProgress, state::AppState},
    http::envelope::{ApiResult, Envelope},
};
use axum::extract::State;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The timeout of the database check.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The state of the components.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// Whether the database answers.
    pub database: bool,
    /// The components behind the database.
    pub services: Services,
}

/// The components that follow the database.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Services {
    /// Listing, search and statistics.
    pub search: bool,
    /// Alerts.
    pub matching: bool,
    /// Mail.
    pub mail: bool,
}

/// Read the state of the portal
#[utoipa::path(get, path = "/health", tag = "health", operation_id = "health", responses(
    (status = 200, description = "The state of each component", body = Envelope<Health>),
))]
pub async fn health(State(state): State<AppState>) -> ApiResult<Health> {
    Ok(Envelope::of(of(&state).await))
}

/// Checks all components.
pub async fn of(state: &AppState) -> Health {
    let database = database(state).await;
    let works = |station: &tokio::sync::watch::Sender<JobProgress>| database && station.borrow().ready;
    let services = Services {
        search: works(&state.progress.index),
        matching: works(&state.progress.matcher),
        mail: works(&state.progress.sealing) && works(&state.progress.sending),
    };
    Health { database, services }
}

async fn database(state: &AppState) -> bool {
    let asked = tokio::time::timeout(DATABASE_TIMEOUT, crate::storage::answers(&state.db)).await;
    matches!(asked, Ok(Ok(())))
}
