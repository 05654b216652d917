//! Fields for details that many notices print: document fee, contractor grades, pre-bid meeting,
//! submission of bids and lots.

use super::parts::Bond;
use crate::vocabulary::{Amount, Currency, Day, Moment, OtherGrades, SubmissionMethod, opening_moment};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The price of the bidding documents, and when and where they are sold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DocumentFee {
    /// The price in whole currency units. 0 if free of charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The first day of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub sale_from: Option<Day>,
    /// The last day of sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub sale_until: Option<Day>,
    /// Where the documents are sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A grade of the Construction Industry Development Authority (formerly ICTAD).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cida {
    /// The grade, for example `C1` to `C10`, `CS1`, `CS2`, `M`, `EM`, `GP` or `SP`.
    pub grade: String,
    /// The field of work, such as building or highway construction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Which other grades are admitted, if the notice says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also_admits: Option<OtherGrades>,
}

/// Pre-bid meeting or site visit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PreBid {
    /// The time of the meeting or visit.
    #[serde(deserialize_with = "opening_moment", skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// The place of the meeting or visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// How bids are submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Submission {
    /// The methods that are accepted. Empty: unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<SubmissionMethod>,
    /// Where bids are delivered: an address, or a site or e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// One lot, or one of several tenders in a notice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Lot {
    /// The number of the lot, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The subject of the lot.
    pub title: String,
    /// The bid security of this lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid_bond: Option<Bond>,
}
