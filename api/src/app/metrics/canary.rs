//! The state of the test tender that goes all the way from publication to a sent message.

use jiff::Timestamp;
use strum::{EnumIter, IntoStaticStr};

/// How far the test tender came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CanaryStage {
    /// It was published.
    Published,
    /// The index contains it.
    Indexed,
    /// An alert matched it.
    Matched,
    /// Its message was composed.
    Sealed,
    /// Its message was sent.
    Sent,
}

/// The state of the last test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CanaryReport {
    /// When a test tender last went all the way.
    pub last_success: Option<Timestamp>,
    /// When the last test began.
    pub began_at: Timestamp,
    /// How far the last test came.
    pub stage: CanaryStage,
}
