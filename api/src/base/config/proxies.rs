//! Settings of the reverse proxies.

use crate::base::trusted_proxies::ProxyNetworks;
use clap::Args;
use settings::Findings;

/// The reverse proxies in front of the server.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reverse proxies")]
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
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<String>,
}

impl Default for ProxyConfig {
    fn default() -> Self {
        Self { trusted_proxies: ProxyNetworks::default(), proxy_hops: 1, behind_proxy: None }
    }
}

/// What replaces the former setting `BEHIND_PROXY`.
pub const BEHIND_PROXY_REMEDY: &str = "write the address of your reverse proxy, as in TRUSTED_PROXIES=127.0.0.1 \
    (--trusted-proxies 127.0.0.1), or omit both without a proxy";

impl ProxyConfig {
    /// Refuses the former setting, and warns about hops without proxies.
    pub fn check(&self, found: &mut Findings) {
        if self.behind_proxy.is_some() {
            found.refuse("BEHIND_PROXY", "no longer exists", BEHIND_PROXY_REMEDY);
        }
        if self.proxy_hops > 1 && self.trusted_proxies.is_empty() {
            found.warn(
                "PROXY_HOPS",
                "has no effect without TRUSTED_PROXIES; set TRUSTED_PROXIES=127.0.0.1 too",
            );
        }
    }
}
