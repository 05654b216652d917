//! Routes for administrators.

pub(crate) mod audit;
pub(crate) mod users;
