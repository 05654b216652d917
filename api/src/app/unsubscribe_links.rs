//! The signed link that switches off the mails of one message's alerts: it needs no sign-in (RFC 8058), and names nothing
//! but the message.

use crate::base::signing_key::SigningKey;
use uuid::Uuid;

/// What the signatures are for.
const PURPOSE: &str = "unsubscribe";

/// Signs and checks unsubscribe links.
#[derive(Clone)]
pub struct UnsubscribeLinks {
    base_url: String,
    key: SigningKey,
}

impl UnsubscribeLinks {
    /// Links below the portal's address, signed with its key.
    #[must_use]
    pub const fn new(base_url: String, key: SigningKey) -> Self {
        Self { base_url, key }
    }

    /// The link for one message.
    #[must_use]
    pub fn link(&self, delivery_id: Uuid) -> String {
        let signature = self.key.sign(PURPOSE, delivery_id.as_bytes());
        format!("{}/unsubscribe/{}.{signature}", self.base_url, delivery_id.simple())
    }

    /// The message a link's token stands for. `None` when we did not sign it.
    #[must_use]
    pub fn delivery(&self, token: &str) -> Option<Uuid> {
        let (id, signature) = token.split_once('.')?;
        let id: Uuid = id.parse().ok()?;
        self.key.signed(PURPOSE, id.as_bytes(), signature).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: &str) -> SigningKey {
        SigningKey::new(letter.repeat(40).into()).unwrap()
    }

    #[test]
    fn only_our_own_links_are_believed() {
        let links = UnsubscribeLinks::new("https://portal.example".to_owned(), key("a"));
        let id = Uuid::from_u128(7);
        let link = links.link(id);
        let token = link.rsplit('/').next().unwrap();
        assert_eq!(links.delivery(token), Some(id));
        let others = UnsubscribeLinks::new(String::new(), key("b"));
        assert_eq!(others.delivery(token), None);
        for rubbish in ["", ".", "x.y", &token[..token.len() - 1], &token.replace('.', "")] {
            assert_eq!(links.delivery(rubbish), None, "{rubbish}");
        }
    }
}
