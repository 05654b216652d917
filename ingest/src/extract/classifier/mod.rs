//! A linear classifier for the kind of a notice, the roles of its dates and amounts, its title and
//! its organisation. It helps where the rules find no known cue.
//!
//! Its weights are trained on notices of several data sources. The features are mainly the words
//! around a candidate, and with less weight its relation to other candidates. [`merge_with_rules`]
//! merges its values with those of the rules.

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
