//! A linear classifier for the kind of a notice, its closing, bid security and document fee, its
//! title and its organisation. It finds values where the rules recognise no cue.
//!
//! The weights are trained on notices of several data sources. Most features are words in or
//! around a candidate. For dates and amounts, comparisons with other candidates have less weight.
//! [`merge`] and [`names`] combine the values of the classifier with those of the rules.

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
pub use labels::{
    AMOUNT_GROUP, BIAS, DATE_GROUP, LEARNED_KINDS, NOTICE_KIND_GROUP, ORGANIZATION_GROUP, TEXT_CLASSES,
    TITLE_GROUP, WORD_FEATURE_MARK,
};
pub(crate) use merge::{NoticeVerdict, judge_unrecognised, merge_with_rules, notice_doubt};
pub use model::{Classifier, WeightsError};
pub use names::{NamePrediction, has_same_words, predict_organization, predict_title};
pub(crate) use names::{NamePredictions, select_organization, select_title};
pub(crate) use notice_kind::KindPrediction;
pub use notice_kind::text_features;
pub use spans::Spans;
pub(crate) use thresholds::CLASSIFIER_CEILING;
