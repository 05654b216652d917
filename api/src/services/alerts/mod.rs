//! Alerts of suppliers.

pub mod form;
