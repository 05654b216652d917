//! Where a tender was printed, where each field was read, and what has changed since.

use crate::vocabulary::{Day, Moment};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A rectangle as fractions of the page: `[x, y, width, height]` from the top left.
pub type PageBox = [f64; 4];

/// The newspaper notice a tender was read from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// The newspaper.
    pub publication: String,
    /// Its issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub date: Option<Day>,
    /// The page's file, relative to its batch.
    pub file: String,
    /// The page within the file, from 1.
    pub page: u32,
    /// The clip on the page.
    #[serde(rename = "box")]
    #[schema(value_type = Vec<f64>)]
    pub area: PageBox,
    /// The clip's image, set by the portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip_url: Option<String>,
}

/// The printed words a field was read from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Evidence {
    /// The words.
    pub text: String,
    /// Where they stand on the page, where known.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>)]
    pub area: Option<PageBox>,
}

/// One field's change after publication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FieldChange {
    /// When.
    pub at: Moment,
    /// The field's path in JSON (`dates.closing`).
    pub field: String,
    /// What was, as JSON; null when it was absent.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub from: serde_json::Value,
    /// What is, as JSON; null when it was removed.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub to: serde_json::Value,
    /// `owner`, or the corrigendum's source in words.
    pub source: String,
}
