//! The portal's answer to a submitted notice. The server writes it, and `ingest` reads it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The result of submitting a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A new tender was created.
    Created,
    /// The tender has a new revision.
    Updated,
    /// The portal already had this notice, or its new content changes nothing.
    Unchanged,
    /// The notice was added to a known tender as another print.
    Merged,
    /// The notice corrected a known tender.
    Corrected,
    /// An operator must decide about the notice.
    Review,
}

/// The portal's answer to a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// The id of the tender. Absent before an operator's decision and after a rejection.
    #[serde(rename = "_id", default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The result.
    pub outcome: Outcome,
}
