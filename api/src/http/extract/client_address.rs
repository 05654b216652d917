//! Finds the client's address for limits per client. This is the peer's address or, behind a
//! proxy, the last address in X-Forwarded-For.

use axum::{
    extract::ConnectInfo,
    http::{HeaderMap, request::Parts},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns the client's address. IPv6 clients are grouped by /64 network, the smallest block that
/// a client is assigned.
#[must_use]
pub fn of(request: &Parts, behind_proxy: bool) -> IpAddr {
    let forwarded = if behind_proxy { forwarded_for(&request.headers) } else { None };
    let peer = || request.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    // Tests that call the service directly have no connection and share one address.
    network(forwarded.or_else(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

/// Returns the network that counts as one client: an IPv4 address, or an IPv6 /64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn request_from_nine(forwarded_for: &str) -> Parts {
        let request = Request::builder().header("x-forwarded-for", forwarded_for);
        let request = request.extension(ConnectInfo(SocketAddr::from(([9, 9, 9, 9], 1))));
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn forwarded_header_is_used_only_behind_a_proxy_and_by_its_last_entry() {
        let request = request_from_nine("1.1.1.1, 2.2.2.2");
        assert_eq!(of(&request, false), IpAddr::from([9, 9, 9, 9]));
        assert_eq!(of(&request, true), IpAddr::from([2, 2, 2, 2]));
    }

    #[test]
    fn unreadable_header_falls_back_to_the_peer() {
        let request = request_from_nine("unknown");
        assert_eq!(of(&request, true), IpAddr::from([9, 9, 9, 9]));
    }

    #[test]
    fn addresses_of_an_ipv6_network_are_one_client() {
        let one = network("2001:db8:1:2:3:4:5:6".parse().unwrap());
        assert_eq!(one, network("2001:db8:1:2:ffff::1".parse().unwrap()));
        assert_eq!(network("::ffff:9.9.9.9".parse().unwrap()), IpAddr::from([9, 9, 9, 9]));
    }
}
