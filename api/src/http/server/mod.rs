//! The listening server: accepts connections, limits their number, and closes connections after
//! timeouts.

pub mod connections;
pub mod open_files;
pub mod timeouts;
