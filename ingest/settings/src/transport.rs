//! Decides whether a URL sends secrets over the network without TLS. Every warning about TLS comes
//! from here.

use std::net::IpAddr;
use url::Url;

/// Whether connections to this URL could reveal a secret: they leave this machine without TLS.
/// The URL is that of an HTTP server, a mail server (`smtp://`), or Postgres. A malformed URL is
/// not insecure, because it is refused elsewhere.
#[must_use]
pub fn is_insecure(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let parameter = |name: &str| {
        url.query_pairs().filter(|(key, _)| key == name).last().map(|(_, value)| value.into_owned())
    };
    let host = url.host_str().unwrap_or_default().to_owned();
    match url.scheme() {
        "http" => !is_this_machine(&host),
        // Without `tls=required`, an attacker can remove the offer of STARTTLS.
        "smtp" => parameter("tls").as_deref() != Some("required") && !is_this_machine(&host),
        "postgres" | "postgresql" => {
            let is_encrypted = parameter("sslmode")
                .or_else(|| parameter("ssl-mode"))
                .is_some_and(|mode| matches!(mode.as_str(), "require" | "verify-ca" | "verify-full"));
            let host = parameter("host").unwrap_or(host);
            !is_encrypted && !is_this_machine(&host)
        }
        _ => false,
    }
}

/// Whether a host is always this machine: a loopback address, or the folder of a Unix socket.
fn is_this_machine(host: &str) -> bool {
    host.is_empty()
        || host.starts_with('/')
        || host.to_ascii_lowercase().starts_with("%2f")
        || is_loopback_name(host)
}

/// Whether a host name is loopback by definition, independent of DNS.
#[must_use]
pub fn is_loopback_name(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

/// Whether a text is an HTTP URL whose host is always this machine.
#[must_use]
pub fn is_loopback_url(url: &str) -> bool {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.is_some_and(|url| url.host_str().is_some_and(is_loopback_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("https://api.example", false)]
    #[case("http://api.example", true)]
    #[case("http://127.0.0.1:9", false)]
    #[case("http://[::1]:9", false)]
    #[case("http://localhost", false)]
    #[case("http://localhost.example", true)]
    #[case("smtp://u:p@mail.example:587", true)]
    #[case("smtp://u:p@mail.example:587?tls=opportunistic", true)]
    #[case("smtp://u:p@mail.example:587?tls=required", false)]
    #[case("smtps://u:p@mail.example", false)]
    #[case("smtp://127.0.0.1:25", false)]
    #[case("postgres://u:p@db.example/d", true)]
    #[case("postgres://u:p@db.example/d?sslmode=prefer", true)]
    #[case("postgres://u:p@db.example/d?sslmode=require", false)]
    #[case("postgresql://u:p@db.example/d?sslmode=verify-full", false)]
    #[case("postgres://u:p@127.0.0.1:5432/d", false)]
    #[case("postgres://u@%2Fvar%2Frun%2Fpostgresql/d", false)]
    #[case("postgres:///d?host=/var/run/postgresql", false)]
    #[case("postgres://u@localhost/d?host=db.example", true)]
    #[case("nonsense", false)]
    fn remote_address_without_tls_is_insecure(#[case] url: &str, #[case] expected: bool) {
        assert_eq!(is_insecure(url), expected, "{url}");
    }

    #[rstest]
    #[case("http://127.0.0.1:8080", true)]
    #[case("https://localhost", true)]
    #[case("http://[::1]:1/x", true)]
    #[case("https://portal.example", false)]
    #[case("http://0.0.0.0", false)]
    #[case("javascript:x", false)]
    #[case("localhost", false)]
    fn loopback_url_must_be_http(#[case] url: &str, #[case] expected: bool) {
        assert_eq!(is_loopback_url(url), expected, "{url}");
    }
}
