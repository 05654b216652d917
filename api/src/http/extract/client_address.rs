//! Finds the client of a request for limits and logs. The address is the peer's or, if the peer is
//! a trusted proxy, that of `X-Forwarded-For`.

use crate::{app::state::AppState, base::config::ProxyConfig};
use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{Extensions, HeaderMap, HeaderName, request::Parts},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The header to which each proxy appends the address of its peer.
pub(crate) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client of a request. The middleware `client` adds it to each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientOrigin {
    /// The client's address.
    pub(crate) address: IpAddr,
    /// Whether a trusted proxy forwarded the request.
    pub(crate) is_forwarded: bool,
}

impl ClientOrigin {
    /// Finds the client by the peer's address and the request's headers.
    pub(crate) fn new(peer: IpAddr, headers: &HeaderMap, config: &ProxyConfig) -> Self {
        let values = headers.get_all(FORWARDED_FOR).iter().rev();
        // A value that is not text counts as an entry that is not an address.
        let entries = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        Self {
            address: config.trusted_proxies.client_address(peer, config.proxy_hops, entries),
            is_forwarded: config.trusted_proxies.contains(peer),
        }
    }
}

/// Returns the peer's address. Tests that call the service directly have no connection and share
/// one address.
pub(crate) fn peer(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip().to_canonical())
}

/// Returns the network that counts as the client of a request.
pub(crate) fn of(request: &Extensions) -> IpAddr {
    let origin = request.get::<ClientOrigin>();
    network(origin.map_or_else(|| peer(request), |origin| origin.address))
}

/// Returns the network that counts as one client: an IPv4 address, or an IPv6 /64, the smallest
/// block that a client is assigned.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        v4 => v4,
    }
}

/// The client's address, for limits that apply to some requests only, and for the audit log.
#[derive(Debug, Clone, Copy)]
pub struct CallerAddress(pub IpAddr);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Self::Rejection> {
        Ok(Self(of(&parts.extensions)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(proxies: &str, headers: &[&str]) -> ClientOrigin {
        let mut map = HeaderMap::new();
        for value in headers {
            map.append(FORWARDED_FOR, value.parse().unwrap());
        }
        let config = ProxyConfig { trusted_proxies: proxies.parse().unwrap(), ..ProxyConfig::default() };
        ClientOrigin::new(IpAddr::from([9, 9, 9, 9]), &map, &config)
    }

    #[test]
    fn forwarded_header_is_used_only_if_the_peer_is_trusted() {
        let headers = ["1.1.1.1, 2.2.2.2"];
        let direct = ClientOrigin { address: IpAddr::from([9, 9, 9, 9]), is_forwarded: false };
        assert_eq!(origin("", &headers), direct);
        assert_eq!(origin("8.8.8.8", &headers), direct);
        let forwarded = ClientOrigin { address: IpAddr::from([2, 2, 2, 2]), is_forwarded: true };
        assert_eq!(origin("9.9.9.9", &headers), forwarded);
        assert_eq!(origin("9.9.9.9", &["1.1.1.1", "2.2.2.2"]), forwarded);
    }

    #[test]
    fn addresses_of_an_ipv6_network_are_one_client() {
        let one = network("2001:db8:1:2:3:4:5:6".parse().unwrap());
        assert_eq!(one, network("2001:db8:1:2:ffff::1".parse().unwrap()));
        assert_eq!(network("::ffff:9.9.9.9".parse().unwrap()), IpAddr::from([9, 9, 9, 9]));
    }
}
