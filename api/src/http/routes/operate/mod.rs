//! Routes for administrators.

pub(crate) mod audit;
pub(crate) mod mail;
pub(crate) mod messages;
pub(crate) mod payments;
pub(crate) mod tokens;
pub(crate) mod users;
