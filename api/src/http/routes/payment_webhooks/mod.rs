//! Webhooks of payment providers.

pub mod receive;
