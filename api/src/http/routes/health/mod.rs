//! Health checks, for users and for service managers.

pub mod read;
pub mod ready;
