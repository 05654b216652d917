//! The backward direction: which stored alerts does a tender match, and why. [`Percolator`] answers from an index of the alerts'
//! keywords; [`reference`] reads one alert against one tender plainly, and is what every engine is held to.

mod alert_bounds;
mod alert_store;
mod atoms;
mod common_words;
mod filter_bitmaps;
mod list_arena;
mod matcher;
mod needle;
mod ngram_index;
mod percolator;
pub mod reference;
mod tokens;
mod word_cache;

pub use crate::document::TextField;
pub use percolator::{AlertHit, MatchedPassage, Percolation, PercolationCounters, Percolator};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reads one number from each of many places in memory that are about to be used: with nothing to decide in between, the processor fetches
/// many of them at once, where the work itself would wait for one after the other.
fn touch(numbers: impl Iterator<Item = u32>) {
    std::hint::black_box(numbers.fold(0, |all, number| all ^ number));
}

/// MatchReason a tender matched: the alert's first keyword that was found, and its first place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchReason {
    /// The keyword as the alert's owner wrote it.
    pub keyword: String,
    /// The text it was found in, by its path in JSON (`title`, `tags.0`, `organization.name`).
    pub field: String,
    /// First byte in that text.
    pub start: usize,
    /// Byte after the last in that text.
    pub end: usize,
}
