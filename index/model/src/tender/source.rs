//! The sources of a tender, the evidence for its fields, and later changes.

use crate::vocabulary::{Day, Moment};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A rectangle `[x, y, width, height]` as fractions of the page, from the top left corner.
pub type PageBox = [f64; 4];

/// A newspaper notice that a tender was read from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// The newspaper.
    pub publication: String,
    /// The date of the issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub date: Option<Day>,
    /// The file of the page, relative to its batch folder.
    pub file: String,
    /// The page within the file, counted from 1.
    pub page: u32,
    /// The area of the clip on the page.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>)]
    pub area: PageBox,
    /// The address of the clip's image, set by the portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip_url: Option<String>,
}

/// The printed words a field was read from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Evidence {
    /// The printed words.
    pub text: String,
    /// The area of the words on the page, if known.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>)]
    pub area: Option<PageBox>,
}

/// A change to one field after publication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FieldChange {
    /// When the field changed.
    pub at: Moment,
    /// The JSON path of the field (`dates.closing`).
    pub field: String,
    /// The old value as JSON. Null if there was no value.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub from: serde_json::Value,
    /// The new value as JSON. Null if the value was removed.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub to: serde_json::Value,
    /// `owner`, `portal`, or a description of the corrigendum's source.
    pub source: String,
}
