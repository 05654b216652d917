//! [`LogPosition`]: how far along the change log something derived from it has come.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A place in the change log: the position, and the change that stood there, by which a log that was restored is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPosition {
    /// The change's number in the total order; 0 before the first.
    pub position: i64,
    /// The change itself.
    pub change_id: Uuid,
}
