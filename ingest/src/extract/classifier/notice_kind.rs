//! Predicts the kind of a notice from its words, or predicts that a text is not a notice.

use super::labels::{LEARNED_KINDS, TEXT_CLASSES};
use super::thresholds::{CLASSIFIER_CEILING, KIND_OVERRULES, WORDS_INDICATE_NOTICE};
use super::{context::stems, model::Classifier};
use crate::extract::printed::{Found, Printed};
use std::collections::BTreeSet;
use tender_model::vocabulary::Kind;

/// The number of words in the opening of a text.
const OPENING_WORDS: usize = 40;
/// The maximum number of words of a text that become features.
const MAX_WORDS: usize = 300;

/// The features of a text: its words, and the words and word pairs of its opening.
#[must_use]
pub fn text_features(printed: &Printed) -> Vec<String> {
    let words = stems(printed.flow());
    let words = &words[..words.len().min(MAX_WORDS)];
    let opening = &words[..words.len().min(OPENING_WORDS)];
    let mut features: BTreeSet<String> = words.iter().map(|word| format!("word:{word}")).collect();
    features.extend(opening.iter().map(|word| format!("opening:{word}")));
    features.extend(opening.windows(2).map(|pair| format!("opening two:{} {}", pair[0], pair[1])));
    features.into_iter().collect()
}

/// The probabilities of [`LEARNED_KINDS`], and then of a text that is not a notice.
pub(crate) struct KindPrediction([f64; TEXT_CLASSES - 1]);

impl KindPrediction {
    pub(crate) fn of(classifier: &Classifier, printed: &Printed) -> Self {
        Self(classifier.kind_probabilities(&text_features(printed)))
    }

    fn probability(&self, kind: Kind) -> f64 {
        match LEARNED_KINDS.iter().position(|other| *other == kind) {
            Some(nth) => self.0[nth],
            None => 1.0 - self.0.iter().sum::<f64>(),
        }
    }

    /// Whether the words indicate a notice of any kind.
    pub(crate) fn indicates_notice(&self) -> bool {
        self.notice_probability() >= WORDS_INDICATE_NOTICE
    }

    /// The probability that the text is a notice of any kind.
    pub(crate) fn notice_probability(&self) -> f64 {
        1.0 - self.0[LEARNED_KINDS.len()]
    }

    /// Selects the kind of the rules or the predicted kind. If they differ, the confidence is
    /// limited. Only the rules recognise an award.
    pub(crate) fn select_kind(&self, rules: Found<Kind>) -> Found<Kind> {
        if rules.value == Kind::Award {
            return rules;
        }
        let all = LEARNED_KINDS.into_iter().chain([Kind::Purchase]);
        let best =
            all.max_by(|a, b| self.probability(*a).total_cmp(&self.probability(*b))).unwrap_or_default();
        let sure = self.probability(best);
        if best == rules.value {
            rules
        } else if sure >= KIND_OVERRULES {
            Found { value: best, confidence: CLASSIFIER_CEILING.min(sure), ..rules }
        } else {
            Found { confidence: CLASSIFIER_CEILING.min(rules.confidence), ..rules }
        }
    }
}
