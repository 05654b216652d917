//! Health checks, for users and for service managers.

pub(crate) mod read;
pub(crate) mod ready;
