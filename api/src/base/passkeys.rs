//! Passkeys (WebAuthn), by `webauthn-rs`. A passkey belongs to the host of the portal's public URL.

use anyhow::Context as _;
use std::sync::Arc;
use webauthn_rs::{Webauthn, WebauthnBuilder, prelude::Url};

/// The verifier of this portal's passkeys.
#[derive(Clone)]
pub struct Passkeys(Option<Arc<Webauthn>>);

impl Passkeys {
    /// Creates the verifier for a public URL. Browsers offer no passkeys for a host that is an IP
    /// address. A portal on a loopback address offers them at `localhost` instead.
    pub fn new(base_url: &str) -> anyhow::Result<Self> {
        let mut origin = Url::parse(base_url).context("the public URL is not a URL")?;
        let is_loopback = match origin.host() {
            Some(url::Host::Domain(_)) => false,
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        if is_loopback {
            origin.set_host(Some("localhost"))?;
        }
        let Some(url::Host::Domain(host)) = origin.host().map(|host| host.to_owned()) else {
            return Ok(Self(None));
        };
        let verifier = WebauthnBuilder::new(&host, &origin)?.rp_name("Serendib Tenders").build()?;
        Ok(Self(Some(Arc::new(verifier))))
    }

    /// The verifier. `None`: this portal offers no passkeys, because its host is an IP address.
    #[must_use]
    pub fn verifier(&self) -> Option<&Webauthn> {
        self.0.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_host_name() {
        let is_offered = |url: &str| Passkeys::new(url).unwrap().verifier().is_some();
        assert!(is_offered("https://portal.example"));
        assert!(is_offered("http://127.0.0.1:8080"));
        assert!(is_offered("http://[::1]:8080"));
        assert!(!is_offered("http://10.0.0.1:8080"));
    }
}
