//! [`Heartbeats`]: the sign of life of a process.

use uuid::Uuid;

/// How often a process has counted on in the database. While the number grows, the process works. Observers
/// measure with their own clock for how long it stays the same, so no clocks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heartbeats {
    /// The process.
    pub process: Uuid,
    /// The number.
    pub count: i64,
}
