//! The weights of the classifier and its probabilities.

use super::{
    labels::{ASKS, BIAS, BODIES, MOMENTS, ROLES_OF_TEXTS, SUMS, TITLES, Weights},
    spans::Spans,
};
use std::{collections::HashMap, sync::LazyLock};
use thiserror::Error;

/// A trained classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    date_candidates: Weights<1>,
    sums: Weights<2>,
    titles: Weights<1>,
    bodies: Weights<1>,
    asks: Weights<{ ROLES_OF_TEXTS - 1 }>,
}

/// An invalid line of weights.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {0} has no weights")]
pub struct WeightsError(
    /// The line number, from 1.
    pub usize,
);

static BUILT_IN: LazyLock<Classifier> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the weights are part of this crate and read by every test")]
    Classifier::parse(include_str!("weights.tsv")).expect("the built-in weights are valid")
});

impl Classifier {
    /// The built-in classifier.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Parses weights. Each line has a feature group, a feature and its weights, separated by tabs.
    /// Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// The number of the first invalid line.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut classifier = Self {
            date_candidates: HashMap::new(),
            sums: HashMap::new(),
            titles: HashMap::new(),
            bodies: HashMap::new(),
            asks: HashMap::new(),
        };
        let lines = text.lines().enumerate();
        for (nth, line) in lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
            classifier.learn(line).ok_or(WeightsError(nth + 1))?;
        }
        Ok(classifier)
    }

    fn learn(&mut self, line: &str) -> Option<()> {
        let (of, rest) = line.split_once('\t')?;
        let (name, weights) = rest.split_once('\t')?;
        let weights: Vec<f64> =
            weights.split('\t').map(|weight| weight.parse().ok()).collect::<Option<_>>()?;
        match of {
            MOMENTS => self.date_candidates.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            SUMS => self.sums.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            TITLES => self.titles.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            BODIES => self.bodies.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            ASKS => self.asks.insert(name.to_owned(), weights.try_into().ok()?).map(|_| ()),
            _ => return None,
        };
        Some(())
    }

    /// The probability that a date is the closing.
    #[must_use]
    pub fn closing(&self, features: &[String]) -> f64 {
        let [closing] = roles(&self.date_candidates, features);
        closing
    }

    /// The probability of each span to be the title. The rest to 1 is that of no title.
    #[must_use]
    pub fn titles(&self, spans: &Spans<'_>) -> Vec<f64> {
        one_of(spans.weigh(&self.titles))
    }

    /// The probability of each span to be the organisation.
    #[must_use]
    pub fn bodies(&self, spans: &Spans<'_>) -> Vec<f64> {
        one_of(spans.weigh(&self.bodies))
    }

    /// The probability of each of [`super::KINDS`] and of other texts. The rest to 1 is that of a
    /// purchase.
    #[must_use]
    pub fn asks(&self, features: &[String]) -> [f64; ROLES_OF_TEXTS - 1] {
        roles(&self.asks, features)
    }

    /// The probabilities that an amount is the bid security and the document fee.
    #[must_use]
    pub fn security_and_fee(&self, features: &[String]) -> (f64, f64) {
        let [security, fee] = roles(&self.sums, features);
        (security, fee)
    }
}

/// Softmax over the candidates and a null class with score 0.
fn one_of(weighed: Vec<f64>) -> Vec<f64> {
    let most = weighed.iter().copied().fold(0.0, f64::max);
    let all = (-most).exp() + weighed.iter().map(|sum| (sum - most).exp()).sum::<f64>();
    weighed.into_iter().map(|sum| (sum - most).exp() / all).collect()
}

fn roles<const ROLES: usize>(weights: &Weights<ROLES>, features: &[String]) -> [f64; ROLES] {
    let known = features.iter().map(String::as_str).chain([BIAS]).filter_map(|name| weights.get(name));
    let sums =
        known.fold([0.0; ROLES], |sums, weights| std::array::from_fn(|role| sums[role] + weights[role]));
    // Subtracting the maximum avoids overflow.
    let most = sums.iter().copied().fold(0.0, f64::max);
    let powers: [f64; ROLES] = sums.map(|sum| (sum - most).exp());
    let all = (-most).exp() + powers.iter().sum::<f64>();
    powers.map(|power| power / all)
}
