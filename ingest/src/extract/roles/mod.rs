//! What a notice asks, what each of its moments and sums is for, and which of its words are its title and its body's name, where the rules found
//! no word that they know: a tagger with weights that were learnt from notices by several hands. It goes by the words around a candidate and, with less say, by what the candidate
//! is among the others. What it says waits for a person, see [`fill`].

mod fill;
mod kinds;
mod loose;
mod moments;
mod opinion;
mod spans;
mod sums;
mod surroundings;
mod tagger;

#[cfg(test)]
mod tests;

pub(super) use fill::{Calls, SUREST, calls, doubts, fill};
pub(super) use kinds::Asked;
pub use kinds::{KINDS, ROLES_OF_TEXTS, of_text};
pub use moments::{Mention, moments};
pub(super) use opinion::{Opinion, weighed_body, weighed_title};
pub use opinion::{Read, body, same_words, title};
pub use spans::Spans;
pub use sums::{Stated, stated};
pub use tagger::{ASKS, BIAS, BODIES, MOMENTS, SUMS, TITLES, Tagger, WeightsError};

/// A trait of words holds this sign, all others are told by the candidate's place among the others.
pub const OF_WORDS: char = ':';
