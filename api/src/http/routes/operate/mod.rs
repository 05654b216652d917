//! Routes for administrators and reviewers.

pub(crate) mod audit;
pub(crate) mod pages;
pub(crate) mod users;
