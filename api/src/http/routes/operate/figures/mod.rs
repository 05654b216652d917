//! Routes with which administrators see the figures of the portal.

pub(crate) mod read;
