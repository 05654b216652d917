//! Alerts of suppliers.

pub(crate) mod form;
