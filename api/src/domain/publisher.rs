//! Who stands behind a tender: a newspaper that printed its notice, or nobody but the account that entered it.

use index::tender::Tender;
use serde::Serialize;
use utoipa::ToSchema;

/// Who published a tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PublishedBy {
    /// At least one newspaper printed its notice.
    Newspaper,
    /// An account of the portal entered it, and no newspaper printed it.
    Organisation,
}

impl PublishedBy {
    /// Of this tender.
    #[must_use]
    pub fn of(tender: &Tender) -> Self {
        if tender.sources.is_empty() { Self::Organisation } else { Self::Newspaper }
    }
}
