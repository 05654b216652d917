//! Settings of the database.

use clap::Args;
use secrecy::SecretString;

/// Database settings, for all commands that use the database.
#[derive(Debug, Clone, Args)]
pub struct DatabaseConfig {
    /// The Postgres URL: postgres://user:password@host:port/database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: SecretString,
    /// The maximum number of open database connections. For a server, this is the number of
    /// connections for requests
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=500))]
    pub database_connections: u32,
}

/// Limits of the database connections of a server.
#[derive(Debug, Clone, Args)]
pub struct DatabaseLimitsConfig {
    /// The maximum number of open database connections for jobs. One further connection checks the
    /// database
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
