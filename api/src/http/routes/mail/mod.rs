//! Mail that comes back.

pub mod report;
