//! Routes for administrators.

pub(crate) mod audit;
pub(crate) mod review;
pub(crate) mod users;
