//! What a notice asks, what each of its moments and sums is for, and which of its words are its title and its body's name, where the rules found
//! no word that they know: a tagger with weights that were learnt from notices by several hands. It goes by the words around a candidate and, with less say, by what the candidate
//! is among the others. What it says waits for a person, see [`fill`].

mod amount_candidates;
mod context;
mod date_candidates;
mod labels;
mod loose_dates;
mod merge;
mod model;
mod names;
mod notice_kind;
mod spans;
mod thresholds;

#[cfg(test)]
mod tests;

pub use amount_candidates::{Stated, stated};
pub use date_candidates::{Mention, moments};
pub use labels::{ASKS, BIAS, BODIES, KINDS, MOMENTS, OF_WORDS, ROLES_OF_TEXTS, SUMS, TITLES};
pub(crate) use merge::{Calls, calls, doubts, fill};
pub use model::{Tagger, WeightsError};
pub(crate) use names::{Opinion, weighed_body, weighed_title};
pub use names::{Read, body, same_words, title};
pub(crate) use notice_kind::Asked;
pub use notice_kind::of_text;
pub use spans::Spans;
pub(crate) use thresholds::CLASSIFIER_CEILING;
