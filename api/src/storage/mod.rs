//! All SQL, a file a table. "Not found" is `None`; the time is always a parameter.

pub mod alerts;
pub mod api_keys;
pub mod changes;
pub mod checkouts;
pub mod clips;
pub mod contact;
pub mod deliveries;
pub mod digest_queue;
pub mod documents;
pub mod error;
pub mod export;
pub mod favourites;
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
pub mod scheduled;
mod stored_word;
pub mod subscriptions;
pub mod suppressions;
pub mod teams;
pub mod tenders;
pub mod trace;
pub mod users;
pub mod views;
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

/// Connects a pool. Nothing is migrated.
///
/// # Errors
/// The URL is malformed, or the server does not answer within ten seconds.
pub async fn connect(config: &DatabaseConfig) -> Result<PgPool, sqlx::Error> {
    let options = PgConnectOptions::from_str(config.database_url.expose_secret())?
        .application_name("serendib-tenders")
        // Compiling a statement of ours takes many times longer than running it.
        .options([("jit", "off")]);
    PgPoolOptions::new()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_with(options)
        .await
}

/// Begins a transaction that sees the database as it stands now, and changes nothing.
pub async fn snapshot(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    db.begin_with("begin isolation level repeatable read, read only").await
}

/// Has the rest of a transaction find rows by their keys. A small table Postgres would rather go through whole, and it keeps such a plan
/// for the connection's life, also the one by which it checks a foreign key row by row, however large the table becomes meanwhile.
pub async fn go_by_keys(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("set local enable_seqscan = off").execute(tx).await?;
    Ok(())
}

/// Whether the database answers at all.
pub async fn answers(db: &PgPool) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(r#"select true as "yes!""#).fetch_one(db).await.map(|_| ())
}
