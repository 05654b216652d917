//! `api serve` and `api work`: serve HTTP and run the jobs until a stop signal, then shut down gracefully.

use crate::http::server::connections::Connections;
use crate::{
    app::state::AppState,
    base::{clock::Clock, config::ServeConfig, password::Passwords, random::Random},
    cli::{
        bootstrap::{self, StartError},
        demo, service_manager,
    },
    clients::file_store::FileStore,
    http::{metrics, router},
    jobs,
    storage::{portal_state, stored_files::FileFolder},
};
use anyhow::Context;
use futures::TryStreamExt;
use sqlx::PgPool;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Starts the server and returns after its shutdown. The settings are checked already.
pub async fn run(
    config: ServeConfig,
    version: &'static str,
    clock: Clock,
    random: Random,
) -> anyhow::Result<()> {
    bootstrap::check_texts()?;
    crate::http::server::open_files::raise_limit();
    bootstrap::check_restored(&config.data)?;
    let db = connect(&config).await?;
    bootstrap::check_no_demo_accounts(&config, &db).await?;
    db.close().await;
    let pools = bootstrap::connect_pools(&config).await?;
    let passwords = Passwords::standard(random.clone())?;
    let listener = match config.role().serves() {
        true => Some(bootstrap::listen(config.listen).await?),
        false => None,
    };
    let metrics_listener = match config.monitoring.metrics_listen {
        Some(address) => Some(bootstrap::listen_for_metrics(address).await?),
        None => None,
    };
    let state = bootstrap::create_state(config, pools, passwords, clock, random)?;
    state.metrics.set_version(version);
    bootstrap::join_signing_keys(&state).await.context("comparing the signing keys")?;
    bootstrap::seal_secrets(&state).await.context("encrypting stored secrets")?;
    if state.config.demo {
        demo::create_accounts(&state).await.context("creating the demonstration accounts")?;
        demo::create_papers(&state).await.context("adding the newspapers of the demonstration")?;
    }
    if let Some(off) = portal_state::sending_off(&state.db).await? {
        tracing::warn!(since = %off.since, reason = %off.reason,
            "sending is off: no message is sent and no card is charged until `api admin sending on`");
    }
    tokio::spawn(warn_of_unreachable_files(state.files.clone()));
    let stop = CancellationToken::new();
    tokio::spawn(cancel_on_signal(stop.clone()));
    let metrics = match metrics_listener {
        Some(listener) => {
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            Some(tokio::spawn(serve_metrics(state.clone(), listener, stop.clone())))
        }
        None => None,
    };
    if let Some(listener) = &listener {
        tracing::info!(address = %listener.local_addr()?, "listening");
    }
    service_manager::notify_ready();
    serve(state, listener, stop).await;
    match metrics {
        Some(metrics) => metrics.await?,
        None => Ok(()),
    }
}

/// Connects to the database. Applies the missing migrations if the settings say so.
async fn connect(config: &ServeConfig) -> Result<PgPool, StartError> {
    if !config.migrate {
        return bootstrap::connect_checked(&config.database).await;
    }
    let (db, applied) = bootstrap::connect_and_migrate_older(&config.database).await?;
    for migration in applied {
        tracing::info!(version = migration.version, name = %migration.name, "applied a migration");
    }
    db.close().await;
    bootstrap::connect_checked(&config.database).await
}

/// Serves requests, if there is a listener, and runs the jobs of the process's role until `stop` is
/// cancelled. Then running requests have `shutdown_seconds` to finish, and afterwards the jobs have as long
/// again.
pub async fn serve(state: AppState, listener: Option<TcpListener>, stop: CancellationToken) {
    let timeout = Duration::from_secs(state.config.shutdown_seconds);
    let jobs = jobs::spawn(&state, &stop);
    match listener {
        Some(listener) => {
            let connections = Connections::new(router::router(state.clone()), &state.config, &stop)
                .counted_in(state.metrics.clone());
            connections.accept_from(listener).await;
            if !connections.finish(timeout).await {
                tracing::warn!(waited_s = timeout.as_secs(), "running requests were aborted");
            }
        }
        None => stop.cancelled().await,
    }
    if tokio::time::timeout(timeout, jobs.wait()).await.is_err() {
        // This is safe at any point, because a job resumes from its stored state.
        tracing::warn!(waited_s = timeout.as_secs(), "the process ends with jobs still running");
    }
    state.db.close().await;
    state.job_db.close().await;
    tracing::info!("stopped");
}

/// Serves the metrics until `stop` is cancelled, with the limits of the other connections.
pub async fn serve_metrics(
    state: AppState,
    listener: TcpListener,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let timeout = Duration::from_secs(state.config.shutdown_seconds);
    let connections = Connections::new(metrics::router(state.clone())?, &state.config, &stop);
    connections.accept_from(listener).await;
    connections.finish(timeout).await;
    Ok(())
}

/// Warns if the place of the files can't be read. The server starts nevertheless, because most requests need
/// no files.
async fn warn_of_unreachable_files(files: FileStore) {
    if let Err(error) = files.current().list(FileFolder::Clips).try_next().await {
        let error = anyhow::Error::from(error);
        tracing::error!(
            error = format!("{error:#}"),
            "the place of the files cannot be read; check FILES and AWS_..."
        );
    }
}

/// Cancels `stop` on Ctrl-C or SIGTERM.
async fn cancel_on_signal(stop: CancellationToken) {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => tokio::select! {
                _ = interrupt => (),
                _ = terminate.recv() => (),
            },
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
    tracing::info!("stopping");
    service_manager::notify_stopping();
    stop.cancel();
}
