//! The settings of monitoring: metrics and traces.

use clap::Args;
use settings::Findings;
use std::net::{IpAddr, SocketAddr};
use url::Url;

/// The settings of metrics and traces.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Monitoring")]
pub struct MonitoringConfig {
    /// The address and port of the metrics for Prometheus, such as 127.0.0.1:9464. Whoever reaches it
    /// can read the metrics, so it must be a local or private address. Without an address, metrics
    /// are off
    #[arg(long, env = "METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<SocketAddr>,
    /// The URL of an OpenTelemetry collector that receives traces over HTTP, such as
    /// http://127.0.0.1:4318. Without a URL, traces are off
    #[arg(long, env = "OTLP_ENDPOINT", value_name = "URL", value_parser = parse_endpoint)]
    pub otlp_endpoint: Option<Url>,
    /// The name of this portal in traces
    #[arg(long, env = "OTLP_SERVICE_NAME", default_value = "serendib-tenders", value_name = "NAME")]
    pub otlp_service_name: String,
    /// The share of requests and job steps that are traced, from 0 to 1. A request that a trusted
    /// proxy traces is always traced
    #[arg(long, env = "TRACE_SAMPLE", default_value_t = 0.1, value_name = "SHARE", value_parser = parse_share)]
    pub trace_sample: f64,
}

impl MonitoringConfig {
    /// Checks that the address of the metrics is not a public one. Warns if other machines may reach it.
    pub fn check(&self, found: &mut Findings) {
        let Some(address) = self.metrics_listen else { return };
        let ip = address.ip().to_canonical();
        if is_public(ip) {
            let what = format!("{address} is a public address, but metrics have no password");
            found.refuse(
                "METRICS_LISTEN",
                what,
                "write a local or private address, such as METRICS_LISTEN=127.0.0.1:9464",
            );
        } else if !ip.is_loopback() {
            let networks = if ip.is_unspecified() { "all networks of this machine" } else { "its network" };
            let what = format!(
                "everybody who reaches {address} from {networks} can read the metrics, which have no password; let \
                only Prometheus reach it, or write METRICS_LISTEN=127.0.0.1:{}",
                address.port()
            );
            found.warn("METRICS_LISTEN", what);
        }
    }
}

/// Whether everybody could reach an address. The address of all networks of this machine is permitted,
/// because a container listens there.
const fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            let is_shared = a == 100 && b & 0xc0 == 64;
            !(ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified() || is_shared)
        }
        IpAddr::V6(ip) => {
            !(ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_unspecified())
        }
    }
}

fn parse_endpoint(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| "give an http:// or https:// URL, such as http://127.0.0.1:4318".to_owned())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1, such as 0.1".to_owned())
}
