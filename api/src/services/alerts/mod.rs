//! Alerts: the form with which users create and change them.

pub(crate) mod form;
