//! All SQL, with one file per table. A missing row is `None`. The time is always a parameter.

pub mod alerts;
pub mod api_keys;
pub mod changes;
pub mod checkouts;
pub mod clips;
pub mod contact;
pub mod deliveries;
pub mod digest_queue;
pub mod documents;
mod enum_column;
pub mod error;
pub mod export;
pub mod identities;
pub mod intentions;
pub mod invoices;
pub mod mailed_links;
pub mod matches;
pub mod notices;
pub mod operator_tokens;
pub mod payment_events;
pub mod payment_tasks;
pub mod phones;
pub mod plans;
pub mod refresh_tokens;
pub mod reports;
pub mod revisions;
pub mod sandbox;
pub mod saved_searches;
pub mod saved_tenders;
pub mod scheduled_mails;
pub mod subscriptions;
pub mod suppressions;
pub mod teams;
pub mod tender_views;
pub mod tenders;
pub mod trace;
pub mod users;
pub mod webhooks;

use crate::base::config::DatabaseConfig;
use secrecy::ExposeSecret;
use sqlx::{
    PgConnection, PgPool, Postgres, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{str::FromStr, time::Duration};

/// The migrations of this version, in order.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// Connects a pool. It does not run migrations.
///
/// # Errors
/// Fails if the URL is malformed or the server does not answer within ten seconds.
pub async fn connect(config: &DatabaseConfig) -> Result<PgPool, sqlx::Error> {
    let options = PgConnectOptions::from_str(config.database_url.expose_secret())?
        .application_name("serendib-tenders")
        // Our statements would take much longer to compile than to run.
        .options([("jit", "off")]);
    PgPoolOptions::new()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_with(options)
        .await
}

/// Begins a read-only transaction on a snapshot of the database.
pub async fn snapshot(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    db.begin_with("begin isolation level repeatable read, read only").await
}

/// Disables sequential scans until the transaction ends. Postgres prefers them while a table is
/// small. It caches that plan as long as the connection lasts, even for row-by-row checks of
/// foreign keys.
pub async fn disable_seq_scans(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("set local enable_seqscan = off").execute(tx).await?;
    Ok(())
}

/// Checks that the database answers.
pub async fn ping(db: &PgPool) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(r#"select true as "yes!""#).fetch_one(db).await.map(|_| ())
}
