//! What a notice asks, what each of its moments and sums is for, and which of its words are its title and its body's name, where the rules found
//! no word that they know: a tagger with weights that were learnt from notices by several hands. It goes by the words around a candidate and, with less say, by what the candidate
//! is among the others. What it says waits for a person, see [`merge_with_rules`].

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

pub use amount_candidates::{AmountCandidate, amount_candidates};
pub use date_candidates::{DateCandidate, date_candidates};
pub use labels::{ASKS, BIAS, BODIES, KINDS, MOMENTS, OF_WORDS, ROLES_OF_TEXTS, SUMS, TITLES};
pub(crate) use merge::{NoticeVerdict, judge_unrecognised, merge_with_rules, notice_doubt};
pub use model::{Classifier, WeightsError};
pub use names::{NamePrediction, body, has_same_words, title};
pub(crate) use names::{NamePredictions, select_organization, select_title};
pub(crate) use notice_kind::KindPrediction;
pub use notice_kind::text_features;
pub use spans::Spans;
pub(crate) use thresholds::CLASSIFIER_CEILING;
