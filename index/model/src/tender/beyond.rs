//! What a notice says beyond the specification's tender.

use super::Bond;
use crate::vocabulary::{Amount, Currency, Day, Moment, opening_moment};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the bidding documents cost and when they are sold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DocumentFee {
    /// In whole units; 0 when free of charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code.
    pub currency: Currency,
    /// First day of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub sale_from: Option<Day>,
    /// Last day of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub sale_until: Option<Day>,
    /// Where they are sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A grade of the Construction Industry Development Authority (formerly ICTAD).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cida {
    /// `C1` to `C10`, `CS1`, `CS2`, `M`, `EM`, `GP`, `SP`, ….
    pub grade: String,
    /// The field, such as building or highway construction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Pre-bid meeting or site visit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PreBid {
    /// When.
    #[serde(deserialize_with = "opening_moment", skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// One lot, or one of several tenders in a notice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Lot {
    /// As printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// What is bought.
    pub title: String,
    /// Its own bid security.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid_bond: Option<Bond>,
}
