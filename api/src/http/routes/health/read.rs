//! GET /health: reads the state of the portal, which the navigation bar shows.

use crate::{
    app::{
        key_agreement::{self, KeyAgreement},
        progress::JobProgress,
        state::AppState,
    },
    clients::disk_space::{DiskRoom, DiskSpace},
    domain::canary::CanaryState,
    http::envelope::{ApiResult, Envelope},
    services::canary,
    storage::{portal_state, worker_lag},
};
use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The timeout of the query whether sending is switched off.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// How long work may wait if other processes run the jobs.
const MAX_WORKER_LAG: SignedDuration = SignedDuration::from_mins(2);

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
#[serde(rename_all = "camelCase")]
pub struct Services {
    /// Whether listing, search and statistics work.
    pub search: bool,
    /// Whether alerts are matched.
    pub matching: bool,
    /// Whether mail is sent.
    pub mail: bool,
    /// Whether the disk has enough room for uploaded files.
    pub storage: bool,
    /// Whether the last test of the way from a tender to its mail got through in time, or no test is
    /// made.
    pub canary: bool,
    /// Whether the process that answers has the signing key of the portal's other processes. If not, it
    /// refuses their sessions and links.
    pub signing_key: bool,
    /// Whether an operator has switched off all messages and charges, for example because this portal
    /// is a restored copy.
    pub sending_off: bool,
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
    let (sending_off, canary, signing_key) = match database {
        true => tokio::join!(sending_is_off(state), canary_works(state), has_signing_key(state)),
        false => (false, false, false),
    };
    let works = |job: &tokio::sync::watch::Sender<JobProgress>| database && job.borrow().ready;
    let (matching, mail) = match state.config.role().works() {
        true => {
            let progress = &state.progress;
            (works(&progress.matcher), works(&progress.sealing) && works(&progress.sending))
        }
        false if database => jobs_elsewhere_work(state).await,
        false => (false, false),
    };
    let services = Services {
        search: works(&state.progress.index),
        matching,
        storage: DiskSpace::new(&state.config).room() == DiskRoom::Enough,
        mail: mail && !sending_off,
        canary,
        signing_key,
        sending_off,
    };
    Health { database, services }
}

/// Whether other processes match alerts and send mail: no work waits longer than [`MAX_WORKER_LAG`].
async fn jobs_elsewhere_work(state: &AppState) -> (bool, bool) {
    let read = tokio::time::timeout(QUERY_TIMEOUT, worker_lag::read(&state.db)).await;
    let Ok(Ok(lag)) = read else { return (false, false) };
    let now = state.clock.now();
    let is_short = |since: Option<Timestamp>| since.is_none_or(|since| now - MAX_WORKER_LAG < since);
    (is_short(lag.unmatched_since), is_short(lag.unsent_since))
}

async fn sending_is_off(state: &AppState) -> bool {
    let response = tokio::time::timeout(QUERY_TIMEOUT, portal_state::sending_off(&state.db)).await;
    matches!(response, Ok(Ok(Some(_))))
}

async fn has_signing_key(state: &AppState) -> bool {
    let read = key_agreement::agreement(&state.db, &state.signing_key);
    let read = tokio::time::timeout(QUERY_TIMEOUT, read).await;
    matches!(read, Ok(Ok(KeyAgreement::Agreed | KeyAgreement::Behind { .. })))
}

async fn canary_works(state: &AppState) -> bool {
    let response = tokio::time::timeout(QUERY_TIMEOUT, canary::state(state)).await;
    !matches!(response, Ok(Ok(Some(CanaryState::Late { .. }))) | Ok(Err(_)) | Err(_))
}
