//! Billing: checkouts, subscriptions, invoices and their rules. [`crate::clients::payments`]
//! converts the events of each provider to [`crate::domain::payment::PaymentEvent`].
//!
//! A subscription is one row. It is `pending` until its first payment and `active` while payments
//! extend it. At its end it becomes `expired`, or `cancelled` if another subscription replaced it.
//! The effect of a charge depends on the charge and the row, not on the order of arrival. A charge
//! counts once; its reference at the provider identifies it.

pub(crate) mod change_rules;
pub(crate) mod checkout;
pub(crate) mod invoices;
pub mod lifecycle;
pub(crate) mod mails;
pub(crate) mod payment_events;
pub(crate) mod plan_changes;
pub(crate) mod settlement;
pub(crate) mod wanted_plan;

pub use crate::domain::billing_cycle::BillingCycle;
pub use crate::domain::money::Cents;
