//! The calendar of deadlines, and the secret address at which calendar programs read it.

pub(crate) mod address;
pub(crate) mod read;
