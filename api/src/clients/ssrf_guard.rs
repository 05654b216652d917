//! Restricts webhooks to public addresses (RFC 6890), so that users can't make this server call
//! its own network (server-side request forgery, SSRF).

use crate::base::config::PhoneConfig;
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The maximum length of a webhook's URL, in bytes.
const MAX_URL_LENGTH: usize = 500;
/// The ports of public hosts that may be called. Other ports may belong to other services, such as
/// mail servers and databases.
const PUBLIC_PORTS: [u16; 2] = [443, 8443];
/// IPv4 networks that are not public: address and prefix length.
const PRIVATE_V4: [(Ipv4Addr, u32); 14] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];
/// The public IPv6 network: address and prefix length.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// Networks inside [`GLOBAL_V6`] that are not public: special-purpose addresses such as Teredo,
/// addresses for documentation, and 6to4. Teredo and 6to4 addresses embed other addresses.
const PRIVATE_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
];

/// Whether an address is public.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !PRIVATE_V4
            .iter()
            .any(|(network, length)| u32::from(v4) >> (32 - length) == u32::from(*network) >> (32 - length)),
        IpAddr::V6(v6) => {
            let contains = |(network, length): &(Ipv6Addr, u32)| {
                u128::from(v6) >> (128 - length) == u128::from(*network) >> (128 - length)
            };
            contains(&GLOBAL_V6) && !PRIVATE_V6.iter().any(contains)
        }
    }
}

/// Decides which addresses webhooks may call.
#[derive(Debug, Clone, Copy)]
pub struct SsrfGuard {
    /// Whether to permit private addresses and plain HTTP, for a company network or tests.
    pub allow_private: bool,
}

impl SsrfGuard {
    /// Creates the guard from the settings.
    #[must_use]
    pub const fn of(config: &PhoneConfig) -> Self {
        Self { allow_private: config.webhooks_to_private }
    }

    /// Parses and checks the URL of a webhook. The error is a message for the user.
    pub fn parse_url(self, text: &str) -> Result<Url, &'static str> {
        let text = text.trim();
        if text.len() > MAX_URL_LENGTH {
            return Err("The address is too long");
        }
        let url = Url::parse(text).map_err(|_| "Please enter the address of a web page, with https://")?;
        let is_encrypted = url.scheme() == "https" || (self.allow_private && url.scheme() == "http");
        if !is_encrypted || url.host().is_none() {
            return Err("Please enter the address of a web page, with https://");
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err("The address must hold neither a password nor a fragment");
        }
        if !self.allows_host(&url) {
            return Err("The address is not on the internet");
        }
        if !self.allow_private
            && !url.port_or_known_default().is_some_and(|port| PUBLIC_PORTS.contains(&port))
        {
            return Err("The port of the address must be 443 or 8443");
        }
        Ok(url)
    }

    /// Whether the host of a URL may be called. A host name must contain a dot. An IP address is
    /// checked here, because it is not resolved. The URL parser has normalised its notation.
    #[must_use]
    pub fn allows_host(self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        self.allow_private || host.parse().map_or(host.contains('.'), is_public)
    }
}

/// Resolves names to public addresses only, unless private addresses are permitted. The addresses
/// are checked at each connection, because a name may resolve differently later.
impl Resolve for SsrfGuard {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> =
                found.filter(|address| allow_private || is_public(address.ip())).collect();
            if public.is_empty() {
                return Err("the name has no address on the internet".into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("8.8.8.8", true)]
    #[case("172.15.255.255", true)]
    #[case("172.32.0.1", true)]
    #[case("2606:4700::1111", true)]
    #[case("127.0.0.1", false)]
    #[case("10.1.2.3", false)]
    #[case("172.31.255.255", false)]
    #[case("192.168.1.1", false)]
    #[case("169.254.169.254", false)]
    #[case("100.100.100.200", false)]
    #[case("0.0.0.0", false)]
    #[case("255.255.255.255", false)]
    #[case("::1", false)]
    #[case("::ffff:127.0.0.1", false)]
    #[case("64:ff9b::7f00:1", false)]
    #[case("2002:7f00:1::", false)]
    #[case("fd00::1", false)]
    #[case("fe80::1", false)]
    fn public_and_other_addresses_are_distinguished(#[case] address: &str, #[case] expected: bool) {
        assert_eq!(is_public(address.parse().unwrap()), expected);
    }

    #[rstest]
    #[case("https://hooks.example.lk/tenders?key=1", true)]
    #[case("https://8.8.8.8/x", true)]
    #[case("https://hooks.example.lk:443/", true)]
    #[case("https://hooks.example.lk:8443/", true)]
    #[case("https://hooks.example.lk:22/", false)]
    #[case("https://hooks.example.lk:5432/", false)]
    #[case("http://hooks.example.lk/", false)]
    #[case("https://localhost/", false)]
    #[case("https://postgres:5432/", false)]
    #[case("https://127.1/", false)]
    #[case("https://0x7f000001/", false)]
    #[case("https://2130706433/", false)]
    #[case("https://[::1]/", false)]
    #[case("https://[::ffff:10.0.0.1]/", false)]
    #[case("https://user:pass@hooks.example.lk/", false)]
    #[case("https://hooks.example.lk/#a", false)]
    #[case("ftp://hooks.example.lk/", false)]
    #[case("file:///etc/passwd", false)]
    #[case("hooks.example.lk", false)]
    #[case("", false)]
    fn webhook_url_must_be_public_and_encrypted_without_credentials(
        #[case] text: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(SsrfGuard { allow_private: false }.parse_url(text).is_ok(), expected, "{text}");
    }

    #[tokio::test]
    async fn local_name_resolves_only_if_private_addresses_are_permitted() {
        let resolve = |allow_private| SsrfGuard { allow_private }.resolve("localhost".parse().unwrap());
        assert!(resolve(false).await.is_err());
        assert!(resolve(true).await.is_ok());
    }
}
