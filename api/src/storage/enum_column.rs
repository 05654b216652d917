//! Enum values that are stored as text columns.

use std::str::FromStr;

/// The error for a column value that the enum does not have.
#[derive(Debug, thiserror::Error)]
#[error("{column} contains the unknown value `{value}`")]
struct UnknownValue {
    column: &'static str,
    value: String,
}

/// Decodes the value of a column. An unknown value is a decode error that names the column and the
/// value.
pub(super) fn decode<T: FromStr>(column: &'static str, text: &str) -> Result<T, sqlx::Error> {
    require_known(column, text, text.parse().ok())
}

/// Returns the decoded value of a column. If `decoded` is `None`, returns a decode error that names
/// the column and the text.
pub(super) fn require_known<T>(
    column: &'static str,
    text: &str,
    decoded: Option<T>,
) -> Result<T, sqlx::Error> {
    decoded.ok_or_else(|| sqlx::Error::Decode(Box::new(UnknownValue { column, value: text.to_owned() })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        billing_cycle::BillingCycle,
        channel::{Channel, DirectChannel},
        checkout::CheckoutStatus,
        delivery::DeliveryState,
        digest::DigestKind,
        frequency::Frequency,
        sandbox::SandboxState,
        subscription::SubscriptionStatus,
        suppression::SuppressionReason,
        user::Role,
    };

    #[test]
    fn a_known_value_is_decoded() {
        assert_eq!(decode::<Channel>("delivery.channel", "email").unwrap(), Channel::Email);
        let direct = Channel::Direct(DirectChannel::Whatsapp);
        assert_eq!(decode::<Channel>("delivery.channel", "whatsapp").unwrap(), direct);
        let status: SubscriptionStatus = decode("subscription.status", "cancelled").unwrap();
        assert_eq!(status, SubscriptionStatus::Cancelled);
    }

    #[test]
    fn an_unknown_value_is_refused_with_its_column() {
        fn refusal<T: FromStr>(column: &'static str) -> String {
            decode::<T>(column, "fax").err().map(|error| error.to_string()).unwrap_or_default()
        }
        let refusals = [
            refusal::<Channel>("delivery.channel"),
            refusal::<BillingCycle>("subscription.billing_cycle"),
            refusal::<Frequency>("alert.frequency"),
            refusal::<Role>("users.role"),
            refusal::<SubscriptionStatus>("subscription.status"),
            refusal::<CheckoutStatus>("checkout.status"),
            refusal::<SandboxState>("sandbox_agreement.state"),
            refusal::<DeliveryState>("delivery.state"),
            refusal::<DigestKind>("delivery.kind"),
            refusal::<SuppressionReason>("suppression.reason"),
        ];
        for refusal in &refusals {
            assert!(refusal.contains("contains the unknown value `fax`"), "{refusal}");
        }
        assert!(refusals[0].contains("delivery.channel"), "{}", refusals[0]);
    }
}
