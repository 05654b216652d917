//! Who published a tender: a newspaper that printed a notice of it, or the account that entered it.

use serde::Serialize;
use tender_model::tender::Tender;
use utoipa::ToSchema;

/// Who published a tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PublishedBy {
    /// At least one newspaper printed a notice of the tender.
    Newspaper,
    /// An account entered the tender, and no newspaper printed it.
    Organisation,
}

impl PublishedBy {
    /// Returns the publisher of this tender.
    #[must_use]
    pub fn of(tender: &Tender) -> Self {
        if tender.sources.is_empty() { Self::Organisation } else { Self::Newspaper }
    }
}
