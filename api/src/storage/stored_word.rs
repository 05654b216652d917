//! Words of closed lists, as columns hold them.

use std::str::FromStr;

/// A column holds a word that is not in its closed list.
#[derive(Debug, thiserror::Error)]
#[error("{column} holds the unknown word `{word}`")]
struct UnknownWord {
    column: &'static str,
    word: String,
}

/// Reads the word of a column. An unknown word is a decode error that names the column and the
/// word.
pub(super) fn decode<T: FromStr>(column: &'static str, word: &str) -> Result<T, sqlx::Error> {
    known(column, word, word.parse().ok())
}

/// The value that a word of a column was read as. `None` becomes a decode error that names the
/// column and the word.
pub(super) fn known<T>(column: &'static str, word: &str, value: Option<T>) -> Result<T, sqlx::Error> {
    value.ok_or_else(|| sqlx::Error::Decode(Box::new(UnknownWord { column, word: word.to_owned() })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        channel::{Channel, DirectChannel},
        checkout::CheckoutStatus,
        cycle::Cycle,
        delivery::DeliveryState,
        digest::DigestKind,
        frequency::Frequency,
        mail_return::MailReturn,
        sandbox::SandboxState,
        subscription::SubscriptionStatus,
        user::Role,
    };

    #[test]
    fn a_known_word_is_read() {
        assert_eq!(decode::<Channel>("delivery.channel", "email").unwrap(), Channel::Email);
        let direct = Channel::Direct(DirectChannel::Whatsapp);
        assert_eq!(decode::<Channel>("delivery.channel", "whatsapp").unwrap(), direct);
        let status: SubscriptionStatus = decode("subscription.status", "cancelled").unwrap();
        assert_eq!(status, SubscriptionStatus::Cancelled);
    }

    #[test]
    fn an_unknown_word_is_refused_with_its_column() {
        fn refusal<T: FromStr>(column: &'static str) -> String {
            decode::<T>(column, "fax").err().map(|error| error.to_string()).unwrap_or_default()
        }
        let refusals = [
            refusal::<Channel>("delivery.channel"),
            refusal::<Cycle>("subscription.billing_cycle"),
            refusal::<Frequency>("alert.frequency"),
            refusal::<Role>("users.role"),
            refusal::<SubscriptionStatus>("subscription.status"),
            refusal::<CheckoutStatus>("checkout.status"),
            refusal::<SandboxState>("sandbox_agreement.state"),
            refusal::<DeliveryState>("delivery.state"),
            refusal::<DigestKind>("delivery.kind"),
            refusal::<MailReturn>("suppression.reason"),
        ];
        for refusal in &refusals {
            assert!(refusal.contains("holds the unknown word `fax`"), "{refusal}");
        }
        assert!(refusals[0].contains("delivery.channel"), "{}", refusals[0]);
    }
}
