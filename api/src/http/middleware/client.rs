//! Adds the client to each request, for limits and logs.

use crate::{
    app::state::AppState,
    base::log_throttle::LogThrottle,
    http::extract::client_address::{self, ClientOrigin, FORWARDED_FOR},
};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use std::{net::IpAddr, time::Duration};

/// Limits the warning about a missing setting to one an hour.
static MISSING_SETTING: LogThrottle = LogThrottle::new(Duration::from_secs(3600));

/// The middleware. It warns if the server seems to be behind a proxy that is not configured.
pub async fn identify(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let config = &state.config.proxies;
    let peer = client_address::peer(request.extensions());
    let looks_forwarded = request.headers().contains_key(FORWARDED_FOR) && is_private(peer);
    if looks_forwarded && config.trusted_proxies.is_empty() && MISSING_SETTING.is_due() {
        tracing::warn!(
            peer = %peer,
            "a request from this machine or a private network has an X-Forwarded-For header, which is ignored; if the \
            peer is your reverse proxy, set TRUSTED_PROXIES to its address, because otherwise all clients share their limits"
        );
    }
    let origin = ClientOrigin::new(peer, request.headers(), config);
    request.extensions_mut().insert(origin);
    next.run(request).await
}

/// Whether an address belongs to this machine or to a private network.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_recognised() {
        for (address, expected) in [
            ("127.0.0.1", true),
            ("10.1.2.3", true),
            ("192.168.0.1", true),
            ("::1", true),
            ("::ffff:172.16.0.1", true),
            ("fd00::1", true),
            ("203.0.113.7", false),
            ("2001:db8::1", false),
        ] {
            assert_eq!(is_private(address.parse().unwrap()), expected, "{address}");
        }
    }
}
