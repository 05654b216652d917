//! Signed unsubscribe links. A link needs no sign-in (RFC 8058). It contains only the message's id
//! and a signature. The link in a mail about alerts switches off the mails of those alerts. The
//! link in a report mail switches off the mails of that report. The link in any other mail
//! switches off all mails of its kind, such as the weekly summary.

use crate::base::signing_key::SigningKey;
use uuid::Uuid;

/// The purpose for which the links are signed.
const PURPOSE: &str = "unsubscribe";

/// Signs and checks unsubscribe links.
#[derive(Clone)]
pub struct UnsubscribeLinks {
    base_url: String,
    key: SigningKey,
}

impl UnsubscribeLinks {
    /// Creates a signer whose links begin with the portal's URL.
    #[must_use]
    pub const fn new(base_url: String, key: SigningKey) -> Self {
        Self { base_url, key }
    }

    /// Returns the link for one message.
    #[must_use]
    pub fn link(&self, delivery_id: Uuid) -> String {
        let signature = self.key.sign(PURPOSE, delivery_id.as_bytes());
        format!("{}/unsubscribe/{}.{signature}", self.base_url, delivery_id.simple())
    }

    /// Returns the id of the message that a link's token belongs to. `None` if the signature is
    /// invalid.
    #[must_use]
    pub fn verify(&self, token: &str) -> Option<Uuid> {
        let (id, signature) = token.split_once('.')?;
        let id: Uuid = id.parse().ok()?;
        self.key.verify(PURPOSE, id.as_bytes(), signature).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: &str) -> SigningKey {
        SigningKey::new(letter.repeat(40).into()).unwrap()
    }

    #[test]
    fn only_signed_links_are_valid() {
        let links = UnsubscribeLinks::new("https://portal.example".to_owned(), key("a"));
        let id = Uuid::from_u128(7);
        let link = links.link(id);
        let token = link.rsplit('/').next().unwrap();
        assert_eq!(links.verify(token), Some(id));
        let others = UnsubscribeLinks::new(String::new(), key("b"));
        assert_eq!(others.verify(token), None);
        for rubbish in ["", ".", "x.y", &token[..token.len() - 1], &token.replace('.', "")] {
            assert_eq!(links.verify(rubbish), None, "{rubbish}");
        }
    }
}
