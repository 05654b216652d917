//! The parts of a tender: organisation, financials, location, dates, eligibility and documents.

use crate::vocabulary::{
    Amount, Currency, District, Millions, Moment, OrganizationType, Province, closing_moment, opening_moment,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The procuring organisation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Organization {
    /// The name, as printed.
    pub name: String,
    /// The type of organisation. Absent if unknown.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<OrganizationType>,
    /// Contact for questions.
    pub contact_person: ContactPerson,
}

/// Contact for questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContactPerson {
    /// A name or an office.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// E-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Telephone, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// Estimated value and bonds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Financials {
    /// The expected price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_value: Option<EstimatedValue>,
    /// Bid security.
    pub bid_bond: Bond,
    /// Performance security.
    pub performance_bond: Bond,
}

/// An estimated value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EstimatedValue {
    /// The value in millions of `currency`.
    pub amount: Millions,
    /// ISO 4217 code.
    #[serde(default)]
    pub currency: Currency,
}

/// A bond, as a percentage or an amount.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Bond {
    /// Whether the bond is required.
    pub required: bool,
    /// Percentage of the bid value, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<f64>,
    /// The amount in whole currency units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code for `amount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// The place of the work or of the organisation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Location {
    /// One of the nine provinces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub province: Option<Province>,
    /// One of the twenty-five districts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<District>,
    /// City, town or village.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

/// The dates of publication, closing and opening.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Dates {
    /// The date in the newspaper or form. `publishedAt` is the time of publication on this portal.
    #[serde(deserialize_with = "opening_moment", skip_serializing_if = "Option::is_none")]
    pub published: Option<Moment>,
    /// When bids close. A date without a time means the end of that day.
    #[serde(deserialize_with = "closing_moment", skip_serializing_if = "Option::is_none")]
    pub closing: Option<Moment>,
    /// When bids are opened.
    #[serde(deserialize_with = "opening_moment", skip_serializing_if = "Option::is_none")]
    pub opening: Option<Moment>,
}

/// Who may bid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Eligibility {
    /// Criteria, one per entry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// Documents that a bidder must submit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_required: Vec<String>,
    /// Required experience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experience: Option<Experience>,
    /// Required turnover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turnover: Option<Turnover>,
}

/// Required experience.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Experience {
    /// The number of whole years.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years: Option<u16>,
    /// The field of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Required turnover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turnover {
    /// The minimum turnover per year, in whole currency units.
    pub minimum: Amount,
    /// ISO 4217 code.
    #[serde(default)]
    pub currency: Currency,
}

/// An attached file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// UUIDv7.
    #[serde(rename = "_id", default)]
    pub id: Uuid,
    /// File name.
    pub name: String,
    /// Media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// The size in bytes.
    pub size: u64,
    /// Whether the text of the file is available without downloading it.
    #[serde(default)]
    pub has_text: bool,
}
