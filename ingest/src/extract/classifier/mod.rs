//! What a notice asks, what each of its moments and sums is for, and which of its words are its title and its body's name, where the rules found
//! no word that they know: a tagger with weights that were learnt from notices by several hands. It goes by the words around a candidate and, with less say, by what the candidate
//! is among the others. What it says waits for a person, see [`fill`].

mod amount_candidates;
mod context;
mod date_candidates;
mod loose_dates;
mod merge;
mod model;
mod names;
mod notice_kind;
mod spans;

#[cfg(test)]
mod tests;

pub use amount_candidates::{Stated, stated};
pub use date_candidates::{Mention, moments};
pub(crate) use merge::{Calls, SUREST, calls, doubts, fill};
pub use model::{ASKS, BIAS, BODIES, MOMENTS, SUMS, TITLES, Tagger, WeightsError};
pub(crate) use names::{Opinion, weighed_body, weighed_title};
pub use names::{Read, body, same_words, title};
pub(crate) use notice_kind::Asked;
pub use notice_kind::{KINDS, ROLES_OF_TEXTS, of_text};
pub use spans::Spans;

/// A trait of words holds this sign, all others are told by the candidate's place among the others.
pub const OF_WORDS: char = ':';
