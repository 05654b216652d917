//! How each field was read: certain, doubtful or not read, with alternative readings.

use super::source::Evidence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// If a record does not list field states, a field with at least this confidence is certain. Older
/// records have no [`super::Tender::field_states`].
pub const CONFIDENCE_THRESHOLD: f64 = 0.8;

/// The path under which [`super::Tender::confidence`] and [`super::Tender::field_states`] store
/// whether the block of the page is a tender notice at all.
pub const IS_NOTICE: &str = "notice";

/// The path of the closing date.
pub const CLOSING: &str = "dates.closing";

/// The fields that every user needs. A missing reference is uncertain only if the notice prints
/// one.
pub const KEY_FIELDS: [&str; 4] = ["title", "organization.name", CLOSING, "referenceNo"];

/// How certain a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldState {
    /// Read with confidence at or above the threshold, or entered by a person.
    Certain,
    /// Read with confidence below the threshold. It is shown with a mark and the printed words.
    Doubtful,
    /// Not read. An unread title is replaced by the kind of notice and the organisation.
    NotRead,
}

/// Field states by JSON path. Certain fields are left out.
pub type FieldStates = BTreeMap<String, FieldState>;

/// An alternative value that a reader proposed for a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherReading {
    /// The value, in the form that the field uses.
    #[schema(value_type = Value)]
    pub value: serde_json::Value,
    /// The reader: `rules`, `classifier`, `recogniser` (another reading of the print) or the name of a
    /// model.
    pub reader: String,
    /// The reader's confidence, 0 to 1.
    pub confidence: f64,
    /// The printed words that the value was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}
