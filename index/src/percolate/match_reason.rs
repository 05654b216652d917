//! [`MatchReason`]: why a tender matched an alert, in a form that can be stored.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a tender matched: the first keyword found, and its first position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchReason {
    /// The keyword, as the owner wrote it.
    pub keyword: String,
    /// The JSON path of the text it was found in (`title`, `tags.0`, `organization.name`).
    pub field: String,
    /// First byte in that text.
    pub start: usize,
    /// End in that text, exclusive.
    pub end: usize,
}
