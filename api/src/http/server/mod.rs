//! The listening server: accepts connections, limits how many there are, and closes silent ones.

pub mod activity;
pub mod connections;
pub mod open_files;
