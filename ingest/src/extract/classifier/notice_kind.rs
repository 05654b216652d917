//! Predicts the kind of a notice from its words, or that a text is not a notice.

use super::labels::{KINDS, ROLES_OF_TEXTS};
use super::thresholds::{CLASSIFIER_CEILING, KIND_OVERRULES, WORDS_INDICATE_NOTICE};
use super::{context::stems, model::Classifier};
use crate::extract::printed::{Found, Printed};
use index::vocabulary::Kind;
use std::collections::BTreeSet;

/// The number of words of the opening, and of all words that are used.
const OPENING: usize = 40;
const MAX_WORDS: usize = 300;

/// The features of a text.
#[must_use]
pub fn text_features(printed: &Printed) -> Vec<String> {
    let words = stems(printed.flow());
    let words = &words[..words.len().min(MAX_WORDS)];
    let opening = &words[..words.len().min(OPENING)];
    let mut features: BTreeSet<String> = words.iter().map(|word| format!("word:{word}")).collect();
    features.extend(opening.iter().map(|word| format!("opening:{word}")));
    features.extend(opening.windows(2).map(|pair| format!("opening two:{} {}", pair[0], pair[1])));
    features.into_iter().collect()
}

/// The probabilities of the kinds.
pub(crate) struct KindPrediction([f64; ROLES_OF_TEXTS - 1]);

impl KindPrediction {
    pub(crate) fn of(classifier: &Classifier, printed: &Printed) -> Self {
        Self(classifier.asks(&text_features(printed)))
    }

    fn probability(&self, kind: Kind) -> f64 {
        match KINDS.iter().position(|other| *other == kind) {
            Some(nth) => self.0[nth],
            None => 1.0 - self.0.iter().sum::<f64>(),
        }
    }

    /// Whether the words indicate a notice of any kind.
    pub(crate) fn indicates_notice(&self) -> bool {
        self.is_notice() >= WORDS_INDICATE_NOTICE
    }

    /// The probability that the text is a notice of any kind.
    pub(crate) fn is_notice(&self) -> f64 {
        1.0 - self.0[KINDS.len()]
    }

    /// Selects the kind of the rules or the predicted one. Only the rules recognise an award.
    pub(crate) fn select(&self, rules: Found<Kind>) -> Found<Kind> {
        if rules.value == Kind::Award {
            return rules;
        }
        let all = KINDS.into_iter().chain([Kind::Purchase]);
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
