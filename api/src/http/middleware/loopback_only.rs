//! Accepts only requests that name this machine as their host. A demonstration needs this, because
//! a web page could otherwise read all data, including mail, through DNS rebinding.

use crate::http::error::failure_response;
use axum::{
    extract::Request,
    http::{
        HeaderMap, StatusCode,
        header::HOST,
        uri::{Authority, Uri},
    },
    middleware::Next,
    response::Response,
};
use settings::transport::is_loopback_name;

/// The middleware. It responds with 421 to a request that names another host or none.
pub async fn require_loopback(request: Request, next: Next) -> Response {
    if is_addressed_to_loopback(request.uri(), request.headers()) {
        next.run(request).await
    } else {
        failure_response(
            StatusCode::MISDIRECTED_REQUEST,
            "This demonstration answers only at an address of its own machine, such as http://localhost",
        )
    }
}

/// Whether the request names at least one host, and only hosts that are always this machine.
fn is_addressed_to_loopback(uri: &Uri, headers: &HeaderMap) -> bool {
    names_only(uri, headers, is_loopback_name)
}

/// Whether the request names at least one host, and only accepted hosts.
pub(super) fn names_only(uri: &Uri, headers: &HeaderMap, is_accepted: impl Fn(&str) -> bool) -> bool {
    let of_header = headers.get_all(HOST).iter().map(|value| value.as_bytes().try_into().ok());
    let named: Vec<Option<Authority>> =
        of_header.chain(uri.authority().map(|authority| Some(authority.clone()))).collect();
    // A Host header never contains user information.
    let is_host = |name: &&Authority| !name.as_str().contains('@');
    let is_accepted =
        |name: &Option<Authority>| name.as_ref().filter(is_host).is_some_and(|name| is_accepted(name.host()));
    !named.is_empty() && named.iter().all(is_accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_accepted() {
        let is_accepted = |uri: &str, hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(HOST, host.parse().unwrap());
            }
            is_addressed_to_loopback(&uri.parse().unwrap(), &headers)
        };
        for host in
            ["localhost", "LOCALHOST:8080", "portal.localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:8080"]
        {
            assert!(is_accepted("/", &[host]), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "[::2]",
            "",
            "x@localhost:y",
        ] {
            assert!(!is_accepted("/", &[host]), "{host}");
        }
        assert!(is_accepted("http://localhost/", &[]) && !is_accepted("/", &[]));
        assert!(
            !is_accepted("http://evil.example/", &["localhost"])
                && !is_accepted("/", &["localhost", "evil.example"])
        );
    }
}
