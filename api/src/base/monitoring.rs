//! The settings of monitoring.

use clap::Args;
use std::net::SocketAddr;

/// The settings of metrics.
#[derive(Debug, Clone, Args)]
pub struct MonitoringConfig {
    /// The address and port of the metrics for Prometheus, such as 127.0.0.1:9464. Whoever reaches it
    /// can read the metrics, so it must be a local or private address. Without an address, metrics
    /// are off
    #[arg(long, env = "METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<SocketAddr>,
}
