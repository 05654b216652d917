//! All SQL. Most modules are about one table. A missing row is returned as `None`. The current time
//! is always a parameter.

pub mod alert_outcomes;
pub mod alerts;
pub(crate) mod api_keys;
pub(crate) mod attempts;
pub mod audit_log;
pub(crate) mod awards;
pub(crate) mod batches;
pub(crate) mod bids;
pub(crate) mod buyers;
pub(crate) mod calendar_feeds;
pub mod canary;
pub mod changes;
pub(crate) mod checkouts;
pub(crate) mod checks;
pub(crate) mod clips;
pub(crate) mod companies;
pub(crate) mod contact;
pub(crate) mod daily_figures;
pub mod deliveries;
pub(crate) mod digest_queue;
pub(crate) mod documents;
mod enum_column;
pub(crate) mod error;
pub(crate) mod expected_papers;
pub(crate) mod export;
pub(crate) mod field_checks;
pub(crate) mod gazetteer;
pub(crate) mod google_nonces;
pub(crate) mod holidays;
pub mod identities;
pub mod index_writers;
pub mod intentions;
pub(crate) mod invoices;
pub(crate) mod issues;
pub(crate) mod mailed_links;
pub(crate) mod market;
pub(crate) mod matcher_shards;
pub(crate) mod matches;
pub(crate) mod moderation;
pub(crate) mod monitored_figures;
pub(crate) mod newspaper_pages;
pub mod notices;
pub(crate) mod operator_tasks;
pub mod operator_tokens;
pub(crate) mod page_boxes;
pub(crate) mod page_leases;
pub(crate) mod page_truth;
pub(crate) mod payment_events;
pub(crate) mod payment_tasks;
pub mod phones;
pub(crate) mod plans;
pub mod portal_state;
pub(crate) mod refresh_tokens;
pub mod reports;
pub(crate) mod request_counts;
pub(crate) mod retention;
pub(crate) mod review_decisions;
pub mod review_queue;
pub(crate) mod revisions;
pub(crate) mod sandbox;
pub(crate) mod saved_searches;
pub mod saved_tenders;
pub(crate) mod scheduled_mails;
pub mod schema_version;
pub(crate) mod sealed_batch;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub mod silent_alerts;
pub mod stored_files;
pub(crate) mod stored_today;
pub(crate) mod subscription_directory;
pub mod subscriptions;
pub(crate) mod suppressions;
pub mod table_copy;
pub(crate) mod teams;
pub(crate) mod tender_counts;
pub(crate) mod tender_facts;
pub(crate) mod tender_views;
pub mod tenders;
pub(crate) mod trace;
mod transactions;
pub(crate) mod user_directory;
pub mod users;
pub mod webhooks;
pub(crate) mod worker_lag;

pub use transactions::{begin, snapshot};

use crate::base::config::{DatabaseConfig, DatabaseLimitsConfig};
use secrecy::ExposeSecret;
use sqlx::{
    Connection, Executor, PgConnection, PgExecutor, PgPool, Postgres, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{str::FromStr, time::Duration};

/// The migrations of this version, in order.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// The time limit for a connection from a pool of jobs or commands.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a job's transaction may be idle.
const JOB_IDLE_LIMIT: Duration = Duration::from_secs(600);

/// After this time without use, a connection for requests is pinged before its next use. A ping costs
/// as much as a simple query. A connection that was used a moment ago has rarely been closed since.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// The connections that count requests for all servers.
const REQUEST_COUNT_CONNECTIONS: u32 = 2;
/// After this time, the database gives up a statement that counts requests.
const REQUEST_COUNT_LIMIT: Duration = Duration::from_secs(1);
/// The time limit for one of these connections. The request does not wait that long.
const REQUEST_COUNT_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// The connections of a server.
#[derive(Debug, Clone)]
pub struct DatabasePools {
    /// For requests. Their statements have time limits, and a request waits only briefly for a
    /// connection.
    pub requests: PgPool,
    /// For jobs, which may work for a long time and can wait. Requests do not delay them.
    pub jobs: PgPool,
}

/// The options of every pool.
fn pool_options() -> PgPoolOptions {
    PgPoolOptions::new()
        .after_release(|connection, _| Box::pin(async { Ok(transactions::is_reusable(connection).await) }))
}

/// Connects a pool for commands, whose statements have no time limit. It does not run migrations.
///
/// # Errors
/// Fails if the URL is malformed or the server does not answer within ten seconds.
pub async fn connect(config: &DatabaseConfig) -> Result<PgPool, sqlx::Error> {
    pool_options()
        .max_connections(config.database_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(connect_options(config)?)
        .await
}

/// Removes the time limits of the statements of a connection.
pub async fn remove_time_limits(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let limits =
        "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0";
    connection.execute(limits).await.map(|_| ())
}

/// Connects the pools of a server.
///
/// # Errors
/// Fails if the URL is malformed or the server does not answer in time.
pub async fn connect_pools(
    config: &DatabaseConfig,
    limits: &DatabaseLimitsConfig,
) -> Result<DatabasePools, sqlx::Error> {
    let milliseconds = |seconds: u32| (u64::from(seconds) * 1000).to_string();
    let options = connect_options(config)?.options([
        ("statement_timeout", milliseconds(limits.statement_seconds)),
        ("lock_timeout", milliseconds(limits.lock_seconds)),
        ("idle_in_transaction_session_timeout", milliseconds(limits.idle_in_transaction_seconds)),
    ]);
    let requests = pool_options()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(u64::from(limits.database_wait_seconds)))
        .test_before_acquire(false)
        .before_acquire(|connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for >= PING_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_with(options);
    let config = DatabaseConfig { database_connections: limits.job_database_connections, ..config.clone() };
    // A job is never idle in a transaction. If its machine vanished, the transaction must not hold its
    // locks until Postgres notices.
    let options = connect_options(&config)?
        // It tells the sessions of this process from those of others on the same machine.
        .application_name(&format!("serendib-tenders jobs {}", std::process::id()))
        .options([("idle_in_transaction_session_timeout", JOB_IDLE_LIMIT.as_millis().to_string())]);
    let jobs = pool_options()
        .max_connections(config.database_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options);
    Ok(DatabasePools { requests: requests.await?, jobs: jobs.await? })
}

/// Prepares the connections that count requests for all servers. Requests that wait for the other
/// connections must not delay the counting. The first count connects.
///
/// # Errors
/// Fails if the URL is malformed.
pub(crate) fn request_count_pool(config: &DatabaseConfig) -> Result<PgPool, sqlx::Error> {
    let limit = REQUEST_COUNT_LIMIT.as_millis().to_string();
    let options = connect_options(config)?.options([("statement_timeout", limit)]);
    Ok(pool_options()
        .max_connections(REQUEST_COUNT_CONNECTIONS)
        .acquire_timeout(REQUEST_COUNT_ACQUIRE_TIMEOUT)
        .connect_lazy_with(options))
}

/// Returns how to connect to a database.
///
/// # Errors
/// Fails if the URL is malformed.
pub(crate) fn connect_options(config: &DatabaseConfig) -> Result<PgConnectOptions, sqlx::Error> {
    Ok(PgConnectOptions::from_str(config.database_url.expose_secret())?
        .application_name("serendib-tenders")
        // For our statements, the JIT compilation would take much longer than the execution.
        .options([("jit", "off")])
        // Postgres soon notices that the machine of a connection has vanished.
        .options([
            ("tcp_keepalives_idle", "60"),
            ("tcp_keepalives_interval", "10"),
            ("tcp_keepalives_count", "3"),
        ]))
}

/// Opens a connection outside of the pool, with the options of the pool's connections.
///
/// # Errors
/// Fails if the server does not answer.
pub async fn connect_apart(db: &PgPool) -> Result<PgConnection, sqlx::Error> {
    PgConnection::connect_with(&db.connect_options()).await
}

/// Disables sequential scans until the transaction ends. Postgres prefers them while a table is
/// small, and caches such a plan for as long as the connection lasts. It does so even for the
/// row-by-row checks of foreign keys.
pub async fn disable_seq_scans(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("set local enable_seqscan = off").execute(tx).await?;
    Ok(())
}

/// Begins a transaction that plans each query for its values. Postgres otherwise keeps a plan that
/// fits all values, which reads whole tables if a query has many optional filters.
pub async fn begin_list(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut tx = begin(db).await?;
    sqlx::query!("set local plan_cache_mode = force_custom_plan").execute(&mut *tx).await?;
    Ok(tx)
}

/// Checks that the database answers.
pub async fn ping(db: impl PgExecutor<'_>) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(r#"select true as "yes!""#).fetch_one(db).await.map(|_| ())
}
