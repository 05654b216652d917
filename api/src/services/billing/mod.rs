//! Billing: checkouts, subscriptions, invoices and their rules. Events of a provider arrive as
//! [`crate::domain::payment::PaymentEvent`]; [`crate::clients::payments`] knows each provider's
//! format.
//!
//! A subscription is one row from its first payment to its end. It is `pending` until it is paid
//! and `active` while payments extend it. At its end it is `expired`, or `cancelled` if another one
//! replaced it. The effect of a charge depends on the charge and the row, not on the order of
//! arrival. A charge counts once, by the provider's reference.

pub(crate) mod change_rules;
pub(crate) mod checkout;
pub(crate) mod invoices;
pub mod lifecycle;
pub(crate) mod mails;
pub(crate) mod payment_events;
pub(crate) mod plan_changes;
pub(crate) mod wanted_plan;

pub use crate::domain::billing_cycle::BillingCycle;
pub use crate::domain::money::Cents;
