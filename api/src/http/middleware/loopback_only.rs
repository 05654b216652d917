//! A demonstration answers only under the names of the machine itself. A page elsewhere whose name is made to point at this machine
//! (DNS rebinding) could read everything otherwise, mail included.

use crate::http::error::failure;
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
use std::net::IpAddr;

/// The middleware: 421 for a request to another name.
pub async fn only(request: Request, next: Next) -> Response {
    if is_addressed(request.uri(), request.headers()) {
        next.run(request).await
    } else {
        failure(
            StatusCode::MISDIRECTED_REQUEST,
            "This demonstration answers only at an address of its own machine, such as http://localhost",
        )
    }
}

/// Whether an URL of HTTP points at this machine alone.
#[must_use]
pub fn is_url(url: &str) -> bool {
    let url = url.parse::<Uri>().ok();
    let url = url.filter(|url| matches!(url.scheme_str(), Some("http" | "https")));
    url.is_some_and(|url| url.host().is_some_and(is_name))
}

/// Whether all that a request says of whom it is for names this machine, and something does.
fn is_addressed(uri: &Uri, headers: &HeaderMap) -> bool {
    let of_header = headers.get_all(HOST).iter().map(|value| value.as_bytes().try_into().ok());
    let named: Vec<Option<Authority>> =
        of_header.chain(uri.authority().map(|authority| Some(authority.clone()))).collect();
    // A host never has a user's name before it.
    let is_host = |name: &&Authority| !name.as_str().contains('@');
    let is_ours =
        |name: &Option<Authority>| name.as_ref().filter(is_host).is_some_and(|name| is_name(name.host()));
    !named.is_empty() && named.iter().all(is_ours)
}

/// Whether a host is this machine by definition, whatever a name server says.
fn is_name(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_count() {
        let is_answered = |uri: &str, hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(HOST, host.parse().unwrap());
            }
            is_addressed(&uri.parse().unwrap(), &headers)
        };
        for host in
            ["localhost", "LOCALHOST:8080", "portal.localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:8080"]
        {
            assert!(is_answered("/", &[host]), "{host}");
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
            assert!(!is_answered("/", &[host]), "{host}");
        }
        assert!(is_answered("http://localhost/", &[]) && !is_answered("/", &[]));
        assert!(
            !is_answered("http://evil.example/", &["localhost"])
                && !is_answered("/", &["localhost", "evil.example"])
        );
    }

    #[test]
    fn an_url_of_this_machine_is_one_of_http() {
        for (url, is_ours) in [
            ("http://127.0.0.1:8080", true),
            ("https://localhost", true),
            ("http://[::1]:1/x", true),
            ("https://portal.example", false),
            ("http://0.0.0.0", false),
            ("javascript:x", false),
            ("localhost", false),
        ] {
            assert_eq!(is_url(url), is_ours, "{url}");
        }
    }
}
