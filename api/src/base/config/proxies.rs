//! Settings of the reverse proxies.

use crate::base::trusted_proxies::ProxyNetworks;
use clap::Args;

/// The reverse proxies in front of the server.
#[derive(Debug, Clone, Args)]
pub struct ProxyConfig {
    /// The IP addresses and networks of the reverse proxies, separated by commas, such as
    /// 127.0.0.1,10.0.0.0/8. The server takes the client's address from the X-Forwarded-For header
    /// of these proxies. It ignores this header of all other clients
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        default_value = "",
        hide_default_value = true,
        value_name = "ADDRESSES"
    )]
    pub trusted_proxies: ProxyNetworks,
    /// How many trusted proxies, one behind the other, append an address to X-Forwarded-For
    #[arg(long, env = "PROXY_HOPS", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub proxy_hops: u8,
    /// The former setting, which TRUSTED_PROXIES replaces.
    #[arg(long, env = "BEHIND_PROXY", hide = true, num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<String>,
}

impl Default for ProxyConfig {
    fn default() -> Self {
        Self { trusted_proxies: ProxyNetworks::default(), proxy_hops: 1, behind_proxy: None }
    }
}
