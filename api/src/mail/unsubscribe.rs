//! The signed link that switches off the mails of one message's alerts: it needs no sign-in (RFC 8058), and names nothing
//! but the message.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Signs and checks unsubscribe links.
#[derive(Clone)]
pub struct UnsubscribeLinks {
    base_url: String,
    key: Vec<u8>,
}

impl UnsubscribeLinks {
    /// Links below the portal's address, signed with its key.
    #[must_use]
    pub fn new(base_url: String, key: &[u8]) -> Self {
        Self { base_url, key: key.to_vec() }
    }

    /// The link for one message.
    #[must_use]
    pub fn link(&self, delivery_id: Uuid) -> String {
        format!("{}/unsubscribe/{}", self.base_url, self.token(delivery_id))
    }

    /// The message a link's token stands for. `None` when we did not sign it.
    #[must_use]
    pub fn delivery(&self, token: &str) -> Option<Uuid> {
        let (id, signature) = token.split_once('.')?;
        let id: Uuid = id.parse().ok()?;
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(id)?.verify_slice(&signature).ok()?;
        Some(id)
    }

    fn token(&self, delivery_id: Uuid) -> String {
        let signature = self.mac(delivery_id).map(|mac| mac.finalize().into_bytes());
        let signature = signature.map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes)).unwrap_or_default();
        format!("{}.{signature}", delivery_id.simple())
    }

    fn mac(&self, delivery_id: Uuid) -> Option<Hmac<Sha256>> {
        // HMAC takes a key of any length, so this never is `None`.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).ok()?;
        mac.update(b"unsubscribe:");
        mac.update(delivery_id.as_bytes());
        Some(mac)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_links_are_believed() {
        let links = UnsubscribeLinks::new("https://portal.example".to_owned(), b"a key of ours");
        let id = Uuid::from_u128(7);
        let link = links.link(id);
        let token = link.rsplit('/').next().unwrap();
        assert_eq!(links.delivery(token), Some(id));
        let others = UnsubscribeLinks::new(String::new(), b"another key");
        assert_eq!(others.delivery(token), None);
        for rubbish in ["", ".", "x.y", &token[..token.len() - 1], &token.replace('.', "")] {
            assert_eq!(links.delivery(rubbish), None, "{rubbish}");
        }
    }
}
