//! What each moment and each sum of a notice is for, where the rules found no word that they know: a tagger with weights that
//! were learnt from notices by several hands. It goes by the words around a candidate and, with less say, by what the candidate
//! is among the others. What it says waits for a person, see [`fill`].

mod fill;
mod loose;
mod moments;
mod sums;
mod surroundings;
mod tagger;

#[cfg(test)]
mod tests;

pub(super) use fill::{SUREST, calls, fill};
pub use moments::{Mention, moments};
pub use sums::{Stated, stated};
pub use tagger::{BIAS, MOMENTS, SUMS, Tagger, WeightsError};

/// A trait of words holds this sign, all others are told by the candidate's place among the others.
pub const OF_WORDS: char = ':';
