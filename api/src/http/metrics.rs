//! The metrics for Prometheus, on an address of their own. They are not authenticated.

use crate::{
    app::{
        metrics::{
            CONTENT_TYPE,
            gauges::{self, Gauges},
        },
        state::AppState,
    },
    http::routes::health::{
        read::{self, Health},
        ready,
    },
    services::monitoring::{self, FiguresReader, flag},
};
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use tower_http::timeout::TimeoutLayer;

/// The time limit of a scrape. All its parts have shorter limits.
const SCRAPE_TIMEOUT: Duration = Duration::from_secs(15);
/// The number of scrapes that run at the same time. Further ones are refused.
const MAX_SCRAPES: usize = 4;

/// What a scrape needs.
#[derive(Clone)]
struct Exposition {
    state: AppState,
    figures: Arc<FiguresReader>,
    turns: Arc<Semaphore>,
}

/// Builds the service with `GET /metrics`, and with the probes `GET /livez` and `GET /readyz`, which
/// `api work` has nowhere else.
///
/// # Errors
/// Fails if the database URL is malformed.
pub(crate) fn router(state: AppState) -> anyhow::Result<Router> {
    let figures = Arc::new(FiguresReader::new(&state.config.database)?);
    let exposition = Exposition { state, figures, turns: Arc::new(Semaphore::new(MAX_SCRAPES)) };
    let timeout = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, SCRAPE_TIMEOUT);
    let probes = Router::new()
        .route("/livez", get(ready::live))
        .route("/readyz", get(ready::ready))
        .with_state(exposition.state.clone());
    Ok(Router::new().route("/metrics", get(expose)).with_state(exposition).merge(probes).layer(timeout))
}

async fn expose(State(Exposition { state, figures, turns }): State<Exposition>) -> Response {
    let Ok(_turn) = turns.try_acquire() else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let mut measured = Gauges::default();
    monitoring::measure_process(&state, &mut measured);
    set_components(&read::check(&state).await, &mut measured);
    monitoring::measure_pool("requests", &state.db, &mut measured).await;
    monitoring::measure_pool("jobs", &state.job_db, &mut measured).await;
    let figures = figures.figures(&state).await;
    monitoring::set_figures(figures, &state, &mut measured);
    match state.metrics.expose(measured) {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "the metrics cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Sets the gauges of the components, as `/api/health` shows them.
fn set_components(health: &Health, measured: &mut Gauges) {
    let services = &health.services;
    measured.set(gauges::DATABASE_UP, flag(health.database));
    for (component, is_up) in [
        ("database", health.database),
        ("search", services.search),
        ("matching", services.matching),
        ("mail", services.mail),
        ("storage", services.storage),
        ("signing_key", services.signing_key),
    ] {
        measured.set_with(gauges::COMPONENT_UP, &[("component", component)], flag(is_up));
    }
}
