//! Whether the portal works: for its readers, and for whatever starts and stops it.

pub mod read;
pub mod ready;
