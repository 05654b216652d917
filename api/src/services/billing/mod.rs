//! Billing: checkouts, subscriptions, invoices and their rules. Events of a provider arrive as
//! [`crate::domain::payment::PaymentEvent`]; [`crate::clients::payments`] knows each provider's
//! format.
//!
//! A subscription is one row from its first payment to its end. It is `pending` until it is paid
//! and `active` while payments extend it. At its end it is `expired`, or `cancelled` if another one
//! replaced it. The effect of a charge depends on the charge and the row, not on the order of
//! arrival. A charge counts once, by the provider's reference.

pub mod change_rules;
pub mod checkout;
pub mod invoices;
pub mod lifecycle;
pub mod mails;
pub mod payment_events;
pub mod plan_changes;
pub mod wanted_plan;

pub use crate::domain::billing_cycle::BillingCycle;
pub use crate::domain::money::Cents;
