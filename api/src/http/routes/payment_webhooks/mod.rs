//! Webhooks of payment providers.

pub(crate) mod receive;
