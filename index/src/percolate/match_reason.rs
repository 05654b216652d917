//! [`MatchReason`]: why a tender matched an alert, in a form that can be stored.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a tender matched: the first keyword that occurs, and its first position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchReason {
    /// The keyword, as the owner wrote it.
    pub keyword: String,
    /// The JSON path of the text that contains the keyword (`title`, `tags.0`,
    /// `organization.name`).
    pub field: String,
    /// The first byte of the match in that text.
    pub start: usize,
    /// The end of the match in that text, exclusive.
    pub end: usize,
}
