//! [`LogPosition`]: the last change that an index includes.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A position in the change log. If the log was restored from a backup, the change at this position
/// may have another id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LogPosition {
    /// The number of the change in the total order. 0 before the first change.
    pub position: i64,
    /// The id of the change.
    pub change_id: Uuid,
}
