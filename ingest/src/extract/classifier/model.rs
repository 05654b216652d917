//! The weights of the classifier, and the probabilities that follow from them.

use super::{
    labels::{
        AMOUNT_GROUP, BIAS, DATE_GROUP, NOTICE_KIND_GROUP, ORGANIZATION_GROUP, TEXT_CLASSES, TITLE_GROUP,
        Weights,
    },
    spans::Spans,
};
use std::{collections::HashMap, sync::LazyLock};
use thiserror::Error;

/// A trained classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    dates: Weights<1>,
    amounts: Weights<2>,
    titles: Weights<1>,
    organizations: Weights<1>,
    kinds: Weights<{ TEXT_CLASSES - 1 }>,
}

/// An invalid line of weights.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {0} has no valid weights")]
pub struct WeightsError(
    /// The line number, from 1.
    pub usize,
);

static BUILT_IN: LazyLock<Classifier> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the weights are part of this crate, and tests parse them")]
    Classifier::parse(include_str!("weights.tsv")).expect("the built-in weights are valid")
});

impl Classifier {
    /// The built-in classifier.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Parses weights. Each line has a feature group, a feature and its weights, separated by
    /// tabs. Blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// The number of the first invalid line.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut classifier = Self {
            dates: HashMap::new(),
            amounts: HashMap::new(),
            titles: HashMap::new(),
            organizations: HashMap::new(),
            kinds: HashMap::new(),
        };
        let lines = text.lines().enumerate();
        for (nth, line) in lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
            classifier.add_weights(line).ok_or(WeightsError(nth + 1))?;
        }
        Ok(classifier)
    }

    fn add_weights(&mut self, line: &str) -> Option<()> {
        let (group, rest) = line.split_once('\t')?;
        let (name, weights) = rest.split_once('\t')?;
        let weights: Vec<f64> =
            weights.split('\t').map(|weight| weight.parse().ok()).collect::<Option<_>>()?;
        match group {
            DATE_GROUP => self.dates.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            AMOUNT_GROUP => self.amounts.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            TITLE_GROUP => self.titles.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            ORGANIZATION_GROUP => {
                self.organizations.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ())
            }
            NOTICE_KIND_GROUP => self.kinds.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            _ => return None,
        };
        Some(())
    }

    /// The probability that a date is the closing.
    #[must_use]
    pub fn closing_probability(&self, features: &[String]) -> f64 {
        let [closing] = class_probabilities(&self.dates, features);
        closing
    }

    /// The probability that each span is the title. The remainder is the probability of no title.
    #[must_use]
    pub fn title_probabilities(&self, spans: &Spans<'_>) -> Vec<f64> {
        softmax_with_null(spans.scores(&self.titles))
    }

    /// The probability that each span is the organisation. The remainder is the probability of no
    /// organisation.
    #[must_use]
    pub fn organization_probabilities(&self, spans: &Spans<'_>) -> Vec<f64> {
        softmax_with_null(spans.scores(&self.organizations))
    }

    /// The probability of each of [`super::LEARNED_KINDS`], and then of a text that is not a
    /// notice. The remainder is the probability of a purchase.
    #[must_use]
    pub fn kind_probabilities(&self, features: &[String]) -> [f64; TEXT_CLASSES - 1] {
        class_probabilities(&self.kinds, features)
    }

    /// The probability that an amount is the bid security, and the probability that it is the
    /// document fee.
    #[must_use]
    pub fn security_and_fee(&self, features: &[String]) -> (f64, f64) {
        let [security, fee] = class_probabilities(&self.amounts, features);
        (security, fee)
    }
}

/// The softmax over the scores and a null candidate with score 0. The result leaves out the
/// probability of the null candidate.
fn softmax_with_null(scores: Vec<f64>) -> Vec<f64> {
    let most = scores.iter().copied().fold(0.0, f64::max);
    let all = (-most).exp() + scores.iter().map(|sum| (sum - most).exp()).sum::<f64>();
    scores.into_iter().map(|sum| (sum - most).exp() / all).collect()
}

fn class_probabilities<const CLASSES: usize>(
    weights: &Weights<CLASSES>,
    features: &[String],
) -> [f64; CLASSES] {
    let known = features.iter().map(String::as_str).chain([BIAS]).filter_map(|name| weights.get(name));
    let sums =
        known.fold([0.0; CLASSES], |sums, weights| std::array::from_fn(|role| sums[role] + weights[role]));
    // Subtracting the maximum avoids overflow.
    let most = sums.iter().copied().fold(0.0, f64::max);
    let powers: [f64; CLASSES] = sums.map(|sum| (sum - most).exp());
    let all = (-most).exp() + powers.iter().sum::<f64>();
    powers.map(|power| power / all)
}
