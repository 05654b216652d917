//! Alerts: the form with which users create and change them, and what changes of them would have
//! matched.

pub(crate) mod breadth;
pub(crate) mod form;
pub(crate) mod past_tenders;
pub(crate) mod proposals;
pub(crate) mod silence;
