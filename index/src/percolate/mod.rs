//! Percolation finds the stored alerts that match a tender, with the reasons. [`Percolator`] uses
//! an index of the alerts' keywords. [`naive_matcher`] is a simple reference implementation for
//! tests.

mod alert_bounds;
mod alert_store;
mod atoms;
mod common_words;
mod filter_bitmaps;
mod list_arena;
mod match_reason;
mod matcher;
pub mod naive_matcher;
mod needle;
mod ngram;
mod ngram_index;
mod percolation;
mod percolator;
mod prefetch;
mod tender_limits;
mod tokens;
mod word_cache;

pub use crate::tender_texts::TextField;
pub use match_reason::MatchReason;
pub use percolation::{AlertHit, MatchedPassage, Percolation, PercolationCounters};
pub use percolator::Percolator;
