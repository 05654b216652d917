//! Routes with which administrators check the first publications of new publishers.

pub(crate) mod approve;
pub(crate) mod list;
pub(crate) mod refuse;
