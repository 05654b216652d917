//! A linear classifier for the kind of a notice, the roles of its dates and amounts, its title and
//! its organisation. It helps where the rules find no known cue.
//!
//! Its weights are trained on notices of several data sources. Most features are the words around a
//! candidate. The comparison with other candidates has less weight. [`merge_with_rules`] merges its
//! values with the values of the rules.

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
