//! The portal's answer, as the portal writes it and `ingest` reads it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What became of a notice at the portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A new tender.
    Created,
    /// Its tender has a new revision.
    Updated,
    /// The portal has this already.
    Unchanged,
    /// It is another print of a tender that was there.
    Merged,
    /// It is a corrigendum of a tender that was there.
    Corrected,
    /// It waits there for an operator's decision.
    Review,
}

/// The portal's answer to a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// The tender; none while the notice waits for an operator, or when one has rejected it.
    #[serde(rename = "_id", default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// What happened.
    pub outcome: Outcome,
}
