//! The listening server: accepts connections, limits their number, and closes silent ones.

pub mod activity;
pub mod connections;
pub mod open_files;
