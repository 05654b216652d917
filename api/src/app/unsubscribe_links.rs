//! Signed unsubscribe links. A link needs no sign-in (RFC 8058). It contains only an id and a
//! signature. The link in a mail about alerts switches off the mails of those alerts. The
//! link in a report mail switches off the mails of that report. The link in any other mail
//! switches off all mails of its kind, such as the weekly summary or the reminders of bids.

use crate::base::signing_key::SigningKey;
use uuid::Uuid;

/// What a link switches off. Each kind of link is signed for a purpose of its own, so that no
/// signature is valid for another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsubscribeTarget {
    /// The mails of the kind of this delivery.
    Delivery(Uuid),
    /// The mails that remind this user of the deadlines of bids.
    BidReminders(Uuid),
    /// The mails to this user about alerts that have found nothing for a long time.
    SilentAlerts(Uuid),
}

impl UnsubscribeTarget {
    const fn id(self) -> Uuid {
        match self {
            Self::Delivery(id) | Self::BidReminders(id) | Self::SilentAlerts(id) => id,
        }
    }

    /// The purpose for which the link is signed.
    const fn purpose(self) -> &'static str {
        match self {
            Self::Delivery(_) => "unsubscribe",
            Self::BidReminders(_) => "unsubscribe bid reminders",
            Self::SilentAlerts(_) => "unsubscribe silent alerts",
        }
    }

    /// The start of the link's token. Links of deliveries have none.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Delivery(_) => "",
            Self::BidReminders(_) => "bid-reminders-",
            Self::SilentAlerts(_) => "silent-alerts-",
        }
    }
}

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

    /// Returns the link that switches off the mails of a target.
    #[must_use]
    pub fn link(&self, target: UnsubscribeTarget) -> String {
        let id = target.id();
        let signature = self.key.sign(target.purpose(), id.as_bytes());
        format!("{}/unsubscribe/{}{}.{signature}", self.base_url, target.prefix(), id.simple())
    }

    /// Returns what a link's token switches off. `None` if the signature is invalid.
    #[must_use]
    pub fn verify(&self, token: &str) -> Option<UnsubscribeTarget> {
        let (name, signature) = token.split_once('.')?;
        let kinds: [fn(Uuid) -> UnsubscribeTarget; 3] = [
            UnsubscribeTarget::BidReminders,
            UnsubscribeTarget::SilentAlerts,
            // Every name begins with its empty prefix, so it is the last one.
            UnsubscribeTarget::Delivery,
        ];
        let target = kinds.into_iter().find_map(|kind| {
            let id = name.strip_prefix(kind(Uuid::nil()).prefix())?;
            Some(kind(id.parse().ok()?))
        })?;
        self.key.verify(target.purpose(), target.id().as_bytes(), signature).then_some(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: &str) -> SigningKey {
        SigningKey::new(letter.repeat(40).into()).unwrap()
    }

    const KINDS: [fn(Uuid) -> UnsubscribeTarget; 3] =
        [UnsubscribeTarget::Delivery, UnsubscribeTarget::BidReminders, UnsubscribeTarget::SilentAlerts];

    #[test]
    fn only_signed_links_are_valid() {
        let links = UnsubscribeLinks::new("https://portal.example".to_owned(), key("a"));
        for target in KINDS.map(|kind| kind(Uuid::from_u128(7))) {
            let link = links.link(target);
            let token = link.rsplit('/').next().unwrap();
            assert_eq!(links.verify(token), Some(target));
            let others = UnsubscribeLinks::new(String::new(), key("b"));
            assert_eq!(others.verify(token), None);
            for rubbish in ["", ".", "x.y", &token[..token.len() - 1], &token.replace('.', "")] {
                assert_eq!(links.verify(rubbish), None, "{rubbish}");
            }
        }
    }

    #[test]
    fn a_signature_is_valid_for_one_kind_only() {
        let links = UnsubscribeLinks::new("https://portal.example".to_owned(), key("a"));
        let targets = KINDS.map(|kind| kind(Uuid::from_u128(7)));
        for signed in targets {
            let link = links.link(signed);
            let (_, signature) = link.split_once('.').unwrap().1.split_once('.').unwrap();
            for other in targets.into_iter().filter(|other| *other != signed) {
                let forged = format!("{}{}.{signature}", other.prefix(), other.id().simple());
                assert_eq!(links.verify(&forged), None, "{forged}");
            }
        }
    }
}
