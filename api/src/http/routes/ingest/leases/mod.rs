//! Routes with which workers take newspaper pages and send the results. `ingest work` calls them.

pub(crate) mod failure;
pub(crate) mod file;
pub(crate) mod lease;
pub(crate) mod result;
pub(crate) mod take;
