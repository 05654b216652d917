//! GET /health: what the badge in the navigation bar shows.

use crate::{
    app::{progress::JobProgress, state::AppState},
    http::envelope::{Answer, Envelope},
};
use axum::extract::State;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The state of the parts.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// Whether the database answers.
    pub database: bool,
    /// The parts behind it.
    pub services: Services,
}

/// The parts that follow the database.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Services {
    /// Listing, search and statistics.
    pub search: bool,
    /// Alerts.
    pub matching: bool,
    /// Mail.
    pub mail: bool,
}

/// The state of the portal
#[utoipa::path(get, path = "/health", tag = "health", operation_id = "health", responses(
    (status = 200, description = "Which parts work", body = Envelope<Health>),
))]
pub async fn health(State(state): State<AppState>) -> Answer<Health> {
    Ok(Envelope::of(of(&state).await))
}

/// Asks every part.
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
    let asked = tokio::time::timeout(PATIENCE, crate::storage::answers(&state.db)).await;
    matches!(asked, Ok(Ok(())))
}
