//! Settings of client connections.

use clap::Args;

/// Limits and timeouts of client connections.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Client connections")]
pub struct ConnectionsConfig {
    /// The maximum number of open connections; further clients wait. A maximum that exceeds the
    /// limit of open files is reduced
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// The maximum number of open connections per IPv4 address or IPv6 /64 network; further
    /// connections are closed. Connections of TRUSTED_PROXIES do not count
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections_per_address: u32,
    /// The time limit for a client to send the head of a request, in seconds
    #[arg(long, env = "REQUEST_HEAD_SECONDS", default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub request_head_seconds: u32,
    /// How long an idle connection stays open, in seconds; a reverse proxy should close its
    /// connections earlier
    #[arg(long, env = "IDLE_SECONDS", default_value_t = 75, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub idle_seconds: u32,
    /// The maximum pause of a client while it reads a response, in seconds
    #[arg(long, env = "STALLED_SECONDS", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub stalled_seconds: u32,
}
