//! The listening server: accepts connections, limits their number, and closes connections after
//! timeouts.

pub(crate) mod connections;
pub(crate) mod open_files;
pub(crate) mod timeouts;
