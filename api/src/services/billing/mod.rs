//! Who owes what for which plan: checkouts, subscriptions, invoices and the rules that move them. What a provider of payments says
//! comes in as a [`crate::domain::payment::PaymentEvent`]; how it is said is [`crate::clients::payments`]'.
//!
//! A subscription is one row from its first payment until it ends or another takes its place: `pending` until it is paid, `active`
//! with its end put off by each further payment, then `expired`, or `cancelled` where another took over. What a charge does depends on
//! the charge and the row alone, never on which of two came first: each counts once, by the provider's own name for it.

pub mod change_rules;
pub mod checkout;
pub mod invoices;
pub mod lifecycle;
pub mod mails;
pub mod payment_events;
pub mod plan_changes;
pub mod wanted_plan;

pub use crate::domain::cycle::Cycle;
pub use crate::domain::money::Cents;
