//! The backward direction: which stored alerts does a tender match, and why. [`Percolator`] answers from an index of the alerts'
//! keywords; [`reference`] reads one alert against one tender plainly, and is what every engine is held to.

mod anchors;
mod atoms;
mod common;
pub(crate) mod hash;
mod paper;
mod percolator;
pub mod reference;

pub use percolator::{Counters, Hit, Percolation, Percolator};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a tender matched: the alert's first keyword that was found, and its first place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// The keyword as the alert's owner wrote it.
    pub keyword: String,
    /// The text it was found in, by its path in JSON (`title`, `tags.0`, `organization.name`).
    pub field: String,
    /// First byte in that text.
    pub start: usize,
    /// Byte after the last in that text.
    pub end: usize,
}
