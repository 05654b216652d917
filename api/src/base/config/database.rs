//! Settings of the database.

use clap::Args;
use secrecy::{ExposeSecret, SecretString};
use settings::{Findings, transport};

/// Database settings, for all commands that use the database.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseConfig {
    /// The Postgres URL: postgres://user:password@host:port/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: SecretString,
    /// The maximum number of open database connections. For a server, this is the number of
    /// connections for requests
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub database_connections: u32,
}

/// An example of a database URL.
const DATABASE_URL_EXAMPLE: &str = "postgres://user:password@host:port/database";

impl DatabaseConfig {
    /// Checks the URL, and warns if the connection is not encrypted.
    pub fn check(&self, found: &mut Findings) {
        let url = self.database_url.expose_secret();
        let remedy = format!("write DATABASE_URL={DATABASE_URL_EXAMPLE}");
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            found.refuse("DATABASE_URL", "the value does not begin with postgres://", remedy);
        } else if let Err(error) = url::Url::parse(url) {
            found.refuse("DATABASE_URL", format_args!("the value is not a URL ({error})"), remedy);
        } else if transport::is_insecure(url) {
            found.warn(
                "DATABASE_URL",
                "the password and all records go to another machine without TLS; add ?sslmode=verify-full, or \
                ?sslmode=require if the certificate cannot be checked",
            );
        }
    }
}

/// Limits of the database connections of a server.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseLimitsConfig {
    /// The maximum number of open database connections for jobs. One further connection checks the
    /// database, and two serve to match alerts
    #[arg(long, env = "JOB_DATABASE_CONNECTIONS", default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub job_database_connections: u32,
    /// How long a request waits for a free database connection, in seconds. Then it gets status 503
    #[arg(long, env = "DATABASE_WAIT_SECONDS", default_value_t = 2, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub database_wait_seconds: u32,
    /// The time limit of a statement of a request, in seconds; 0 is unlimited. Jobs and commands have
    /// no limit
    #[arg(long, env = "STATEMENT_SECONDS", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub statement_seconds: u32,
    /// How long a statement of a request waits for a lock, in seconds; 0 is unlimited
    #[arg(long, env = "LOCK_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub lock_seconds: u32,
    /// How long a transaction of a request may be idle, in seconds; 0 is unlimited
    #[arg(long, env = "IDLE_IN_TRANSACTION_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub idle_in_transaction_seconds: u32,
}
