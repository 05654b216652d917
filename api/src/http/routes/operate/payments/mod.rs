//! Routes with which administrators see subscriptions and payment events that were not applied.

pub(crate) mod list_events;
pub(crate) mod list_subscriptions;
pub(crate) mod settle;
