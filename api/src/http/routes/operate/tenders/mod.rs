//! Routes with which administrators manage published tenders.

pub(crate) mod takedown;
