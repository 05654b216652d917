//! Predicts the title and the organisation, and combines them with the values of the rules. A title
//! on which both disagree is doubtful. If the rules found none or a doubtful one, the prediction is
//! used.

use super::thresholds::{
    AGREED_CONFIDENCE, BODY_FILLS, BODY_OVERRULES, CERTAIN_ALONE, CLASSIFIER_CEILING, KNOWN_BODY_CONFIRMS,
    NEGLIGIBLE, OVERRULES_CERTAIN, REPEATED_TITLE_CONFIRMS, RULES_CERTAIN, RULES_READ_TWICE,
    RULES_WORDED_TITLE, TITLE_CONFIRMS, TITLE_OVERRULES, UNKNOWN_BODY_CONFIRMS, WORDED_TITLE_CONFIRMS,
    WORTH_SHOWING,
};
use super::{model::Classifier, spans::Spans};
use crate::extract::{
    alternatives::{Alternative, Selection},
    printed::{Found, Printed, plain_words},
    rules::{
        duty::is_duty,
        heading::{Headline, Role},
        organization::same_body,
        title::FLAWED,
    },
};
use std::{collections::BTreeMap, ops::Range};

/// A predicted title or organisation.
#[derive(Debug, Clone, PartialEq)]
pub struct NamePrediction {
    /// The printed text in one line.
    pub value: String,
    /// The probability.
    pub probability: f64,
    /// The byte range of its first occurrence.
    pub range: Range<usize>,
}

/// The most likely title, if there is one.
#[must_use]
pub fn title(classifier: &Classifier, spans: &Spans<'_>, printed: &Printed) -> Option<NamePrediction> {
    surest(&said(spans, &classifier.titles(spans), printed)).cloned()
}

/// The most likely organisation, if there is one.
#[must_use]
pub fn body(classifier: &Classifier, spans: &Spans<'_>, printed: &Printed) -> Option<NamePrediction> {
    surest(&said(spans, &classifier.bodies(spans), printed)).cloned()
}

/// The predictions, each wording once. The probabilities of repeated prints are added.
fn said(spans: &Spans<'_>, probability: &[f64], printed: &Printed) -> Vec<NamePrediction> {
    let mut said: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (nth, sure) in probability.iter().enumerate() {
        let words = plain_words(&printed.flow()[spans.range(nth)]);
        said.entry(words).or_insert((0.0, nth)).0 += sure;
    }
    let read = |(probability, nth): (f64, usize)| {
        let range = spans.range(nth);
        let value = printed.flow()[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        NamePrediction { value, probability, range }
    };
    // Negligible predictions are dropped.
    said.into_values().filter(|(probability, _)| *probability >= NEGLIGIBLE).map(read).collect()
}

/// The most likely prediction.
fn surest(said: &[NamePrediction]) -> Option<&NamePrediction> {
    said.iter().max_by(|a, b| a.probability.total_cmp(&b.probability))
}

/// The total probability of the predictions that satisfy `is_meant`.
fn probability(said: &[NamePrediction], is_meant: impl Fn(&str) -> bool) -> f64 {
    said.iter().filter(|read| is_meant(&read.value)).map(|read| read.probability).sum()
}

/// Whether two texts have the same words, ignoring case and punctuation.
#[must_use]
pub fn has_same_words(a: &str, b: &str) -> bool {
    plain_words(a) == plain_words(b)
}

/// The predicted titles and organisations of a notice.
pub(crate) struct NamePredictions {
    titles: Vec<NamePrediction>,
    bodies: Vec<NamePrediction>,
}

impl NamePredictions {
    /// Predicts the names in a notice.
    pub(crate) fn of(classifier: &Classifier, printed: &Printed) -> Self {
        let spans = Spans::of(printed);
        Self {
            titles: said(&spans, &classifier.titles(&spans), printed),
            bodies: said(&spans, &classifier.bodies(&spans), printed),
        }
    }

    /// The probability that it has both a title and an organisation.
    pub(crate) fn probability(&self) -> f64 {
        let probability = |said: &[NamePrediction]| surest(said).map_or(0.0, |read| read.probability);
        probability(&self.titles).min(probability(&self.bodies))
    }
}

/// Selects the title of the rules or of the classifier. It is certain only if the classifier
/// agrees, or if it alone is very confident.
///
/// `body` is where the heading ends.
pub(crate) fn select_title(
    rules: Option<Found<String>>,
    predictions: &NamePredictions,
    head: &[Headline],
    body: usize,
) -> Selection<String> {
    let said = &predictions.titles;
    let predictions = surest(said);
    let Some(found) = rules else {
        return Selection::alone(
            predictions.filter(|predictions| predictions.probability >= TITLE_OVERRULES).map(alone),
        );
    };
    let is_same = |value: &str| has_same_words(value, &found.value);
    // `Quotations for the Supply of Pipes`: if a title begins with a duty, nothing before it
    // belongs to it.
    let is_led = |value: &str| is_duty(&found.value) && leads_to(value, &found.value);
    let is_meant =
        |read: &NamePrediction| is_same(&read.value) || goes_beyond(read, &found.range, head, body);
    let meant = said.iter().filter(|read| is_meant(read) || is_led(&read.value));
    let weight: f64 = meant.map(|read| read.probability).sum();
    let agree = predictions.is_some_and(is_meant);
    // Agreement does not repair a title that is wrong in itself.
    let is_whole = found.confidence > FLAWED;
    let is_certain = agree && probability(said, is_same) >= TITLE_CONFIRMS
        || found.confidence >= RULES_READ_TWICE && weight >= REPEATED_TITLE_CONFIRMS
        || found.confidence >= RULES_WORDED_TITLE && weight >= WORDED_TITLE_CONFIRMS;
    if is_whole && is_certain {
        return Selection::alone(Some(agreed(found)));
    }
    let least = if found.confidence >= RULES_CERTAIN { OVERRULES_CERTAIN } else { TITLE_OVERRULES };
    match predictions {
        Some(_) if agree => Selection::alone(Some(doubted(found))),
        Some(predictions)
            if predictions.probability >= least && !leads_to(&predictions.value, &found.value) =>
        {
            Selection::against(doubtful(predictions), Alternative::of_rules(found))
        }
        Some(predictions) if predictions.probability >= WORTH_SHOWING => {
            Selection::against(doubted(found), Alternative::of_classifier(doubtful(predictions)))
        }
        _ => Selection::alone(Some(doubted(found))),
    }
}

/// Selects the organisation of the rules or of the classifier. It is certain only if both name the
/// same organisation, or if the classifier alone is very confident. `is_listed` tells whether the
/// gazetteer has the name of the rules word for word.
pub(crate) fn select_organization(
    rules: Option<Found<String>>,
    predictions: &NamePredictions,
    is_listed: bool,
) -> Selection<String> {
    let said = &predictions.bodies;
    let predictions = surest(said);
    let Some(found) = rules else {
        return Selection::alone(
            predictions.filter(|predictions| predictions.probability >= BODY_FILLS).map(alone),
        );
    };
    let same = probability(said, |value| same_body(value, &found.value));
    let agree = predictions.is_some_and(|predictions| same_body(&predictions.value, &found.value));
    let is_known = is_listed || found.confidence >= RULES_READ_TWICE;
    let confirms = if is_known { KNOWN_BODY_CONFIRMS } else { UNKNOWN_BODY_CONFIRMS };
    // A listed name in both heading and signature is right, unless the classifier is confident of
    // another one.
    let is_settled = is_listed
        && found.confidence >= RULES_READ_TWICE
        && (agree || predictions.is_none_or(|predictions| predictions.probability < TITLE_OVERRULES));
    if is_settled || agree && same >= confirms && found.confidence > FLAWED {
        return Selection::alone(Some(agreed(found)));
    }
    let overrules = if found.confidence >= RULES_CERTAIN { OVERRULES_CERTAIN } else { BODY_OVERRULES };
    match predictions {
        Some(_) if agree => Selection::alone(Some(doubted(found))),
        Some(predictions) if predictions.probability >= overrules => {
            Selection::against(doubtful(predictions), Alternative::of_rules(found))
        }
        Some(predictions) if predictions.probability >= WORTH_SHOWING => {
            Selection::against(doubted(found), Alternative::of_classifier(doubtful(predictions)))
        }
        _ => Selection::alone(Some(doubted(found))),
    }
}

/// The value if the rules found none.
fn alone(predictions: &NamePrediction) -> Found<String> {
    let found = doubtful(predictions);
    if predictions.probability >= CERTAIN_ALONE { agreed(found) } else { found }
}

/// The value if the rules disagree.
fn doubtful(predictions: &NamePrediction) -> Found<String> {
    Found::new(
        predictions.value.clone(),
        predictions.probability.min(CLASSIFIER_CEILING),
        predictions.range.clone(),
    )
}

fn agreed(found: Found<String>) -> Found<String> {
    Found { confidence: found.confidence.max(AGREED_CONFIDENCE), ..found }
}

fn doubted(found: Found<String>) -> Found<String> {
    Found { confidence: found.confidence.min(CLASSIFIER_CEILING), ..found }
}

/// Whether a prediction contains the title plus text around it: organisations above it, or the
/// sentence below it.
fn goes_beyond(read: &NamePrediction, title: &Range<usize>, head: &[Headline], body: usize) -> bool {
    let [before, after] = [read.range.start..title.start, title.end..read.range.end];
    let begins = |line: &&Headline| before.contains(&line.text.range.start);
    let holds = |line: &&Headline| line.text.range.contains(&before.start);
    let is_of_names = head.iter().any(|line| holds(&line))
        && head.iter().filter(|line| holds(line) || begins(line)).all(|line| line.role != Role::Title);
    before.start <= before.end
        && after.start <= after.end
        && (before.is_empty() || is_of_names)
        && (after.is_empty() || title.end <= body && body < after.end)
}

/// Whether the longer text is a call followed by the title: `Tender for the Supply of Pipes`.
fn leads_to(longer: &str, title: &str) -> bool {
    plain_words(longer).ends_with(&format!(" {}", plain_words(title)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Gazetteer, rules::heading::head};

    const TEXT: &str = "வீதி அபிவிருத்தி\nஅதிகார சபை\nபெறுகை அறிவித்தல்\nகிராமிய வீதிகளை புனரமைத்தல்\n\n\
                        தகுதியுடைய வழங்குநர்களிடமிருந்து விலைமனுக்கள் கோரப்படுகின்றன.";
    const TITLE: &str = "கிராமிய வீதிகளை புனரமைத்தல்";

    /// The confidence of the title of the rules, given these predictions.
    fn weighed(read: &[(&str, f64)]) -> f64 {
        let printed = Printed::plain(TEXT);
        let (head, body) = head(&printed, Gazetteer::built_in());
        let range = |words: &str| printed.flow().find(words).map(|at| at..at + words.len()).unwrap();
        let titles = read.iter().map(|(words, probability)| NamePrediction {
            value: (*words).to_owned(),
            probability: *probability,
            range: range(words),
        });
        let predictions = NamePredictions { titles: titles.collect(), bodies: Vec::new() };
        let rules = Found::new(TITLE.to_owned(), 0.88, range(TITLE));
        select_title(Some(rules), &predictions, &head, body).chosen.unwrap().confidence
    }

    #[test]
    fn text_around_a_title_is_the_same_title() {
        let below = "கிராமிய வீதிகளை புனரமைத்தல்\n\nதகுதியுடைய வழங்குநர்களிடமிருந்து";
        let above = "அதிகார சபை\nபெறுகை அறிவித்தல்\nகிராமிய வீதிகளை புனரமைத்தல்";
        let [below, above] = [below, above].map(|words| Printed::plain(words).flow().to_owned());
        assert_eq!(weighed(&[(TITLE, 0.2), (&below, 0.25)]), 0.88);
        assert_eq!(weighed(&[(TITLE, 0.2), (&above, 0.25)]), 0.88);
        assert_eq!(weighed(&[(TITLE, 0.2)]), CLASSIFIER_CEILING, "too little");
        assert_eq!(
            weighed(&[(TITLE, 0.2), ("வீதிகளை புனரமைத்தல்", 0.29)]),
            CLASSIFIER_CEILING,
            "part of the name"
        );
    }

    #[test]
    fn a_listed_repeated_name_is_certain_unless_contradicted() {
        let weighed = |other: f64, is_listed: bool| {
            let read = |value: &str, probability| NamePrediction {
                value: value.to_owned(),
                probability,
                range: 0..1,
            };
            let predictions = NamePredictions {
                titles: Vec::new(),
                bodies: vec![read("ලංකා බැංකුව", 0.15), read("මිල ගණන් කැඳවීම", other)],
            };
            let rules = Found::new("ලංකා බැංකුව".to_owned(), 0.97, 0..1);
            select_organization(Some(rules), &predictions, is_listed).chosen.unwrap().confidence
        };
        assert_eq!(weighed(0.2, true), 0.97);
        assert_eq!(weighed(0.4, true), CLASSIFIER_CEILING);
        assert_eq!(weighed(0.2, false), CLASSIFIER_CEILING);
    }
}
