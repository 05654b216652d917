//! [`AlertMatches`]: the newest tenders that match an alert.

use uuid::Uuid;

/// The tenders that match an alert.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertMatches {
    /// The number of matching tenders.
    pub total: usize,
    /// The ids of the newest matching tenders.
    pub ids: Vec<Uuid>,
}
