//! What the specification's section 3 says of a tender, part by part.

use crate::vocabulary::{
    Amount, Currency, District, Millions, Moment, OrganizationType, Province, closing_moment, opening_moment,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who invites bids.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Organization {
    /// As printed.
    pub name: String,
    /// `None`: unknown.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<OrganizationType>,
    /// Whom to ask.
    pub contact_person: ContactPerson,
}

/// Whom to ask.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContactPerson {
    /// Name or office.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// E-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Telephone, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// Value and securities.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Financials {
    /// What the organisation expects to pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_value: Option<EstimatedValue>,
    /// Bid security.
    pub bid_bond: Bond,
    /// Performance security.
    pub performance_bond: Bond,
}

/// An estimated value in millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EstimatedValue {
    /// In millions.
    pub amount: Millions,
    /// ISO 4217 code.
    #[serde(default)]
    pub currency: Currency,
}

/// A security: a percentage or an amount.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Bond {
    /// Whether one is asked for.
    pub required: bool,
    /// Of the bid's value, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<f64>,
    /// In whole units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code of `amount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// Where.
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

/// Published, closing and opening.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Dates {
    /// What the paper or the form says; see [`Tender::published_at`] for the portal's own.
    #[serde(deserialize_with = "opening_moment", skip_serializing_if = "Option::is_none")]
    pub published: Option<Moment>,
    /// When bids close. A date alone closes at the end of that day.
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
    /// Criteria, one a line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// Documents a bidder must send.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub document_required: Vec<String>,
    /// Experience asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experience: Option<Experience>,
    /// Turnover asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turnover: Option<Turnover>,
}

/// Experience asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Experience {
    /// Whole years.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years: Option<u16>,
    /// In what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Turnover asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turnover {
    /// A year, in whole units.
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
    /// In bytes.
    pub size: u64,
    /// Its text can be read without the file.
    #[serde(default)]
    pub has_text: bool,
}
