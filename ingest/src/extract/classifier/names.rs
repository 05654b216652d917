//! Predicts the title and the organisation, and combines the predictions with the values of the
//! rules. If rules and classifier disagree, the value is doubtful. A prediction is used if the
//! rules found no value, or if the prediction is likely enough to replace the value of the rules.

use super::thresholds::{
    AGREED_CONFIDENCE, CERTAIN_ALONE, CLASSIFIER_CEILING, KNOWN_ORGANIZATION_CONFIRMS, MIN_NAME_PROBABILITY,
    ORGANIZATION_FILLS, ORGANIZATION_OVERRULES, OVERRULES_CERTAIN, REPEATED_TITLE_CONFIRMS, RULES_CERTAIN,
    RULES_READ_TWICE, RULES_WORDED_TITLE, TITLE_CONFIRMS, TITLE_OVERRULES, UNKNOWN_ORGANIZATION_CONFIRMS,
    WORDED_TITLE_CONFIRMS, WORTH_SHOWING,
};
use super::{model::Classifier, spans::Spans};
use crate::extract::{
    alternatives::{Alternative, Selection},
    printed::{Found, Printed, plain_words},
    rules::{
        heading::{Headline, Role},
        organization::is_same_organization,
        title::FLAWED_CEILING,
        work_verbs::begins_with_work_verb,
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
    /// The byte range of the first occurrence of the text.
    pub range: Range<usize>,
}

/// The most likely title, if there is one.
#[must_use]
pub fn predict_title(
    classifier: &Classifier,
    spans: &Spans<'_>,
    printed: &Printed,
) -> Option<NamePrediction> {
    likeliest(&name_predictions(spans, &classifier.title_probabilities(spans), printed)).cloned()
}

/// The most likely organisation, if there is one.
#[must_use]
pub fn predict_organization(
    classifier: &Classifier,
    spans: &Spans<'_>,
    printed: &Printed,
) -> Option<NamePrediction> {
    likeliest(&name_predictions(spans, &classifier.organization_probabilities(spans), printed)).cloned()
}

/// The predictions, one for each wording. The probabilities of repeated spans are added.
/// Negligible predictions are dropped.
fn name_predictions(spans: &Spans<'_>, probabilities: &[f64], printed: &Printed) -> Vec<NamePrediction> {
    let mut by_wording: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (nth, sure) in probabilities.iter().enumerate() {
        let words = plain_words(&printed.flow()[spans.range(nth)]);
        by_wording.entry(words).or_insert((0.0, nth)).0 += sure;
    }
    let read = |(probability, nth): (f64, usize)| {
        let range = spans.range(nth);
        let value = printed.flow()[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        NamePrediction { value, probability, range }
    };
    by_wording
        .into_values()
        .filter(|(probability, _)| *probability >= MIN_NAME_PROBABILITY)
        .map(read)
        .collect()
}

/// The most likely prediction.
fn likeliest(predictions: &[NamePrediction]) -> Option<&NamePrediction> {
    predictions.iter().max_by(|a, b| a.probability.total_cmp(&b.probability))
}

/// The total probability of the predictions that satisfy `is_meant`.
fn total_probability(predictions: &[NamePrediction], is_meant: impl Fn(&str) -> bool) -> f64 {
    predictions.iter().filter(|read| is_meant(&read.value)).map(|read| read.probability).sum()
}

/// Whether two texts have the same words in the same order, ignoring case and punctuation.
#[must_use]
pub fn has_same_words(a: &str, b: &str) -> bool {
    plain_words(a) == plain_words(b)
}

/// The predicted titles and organisations of a notice.
pub(crate) struct NamePredictions {
    titles: Vec<NamePrediction>,
    organizations: Vec<NamePrediction>,
}

impl NamePredictions {
    /// Predicts the names in a notice.
    pub(crate) fn of(classifier: &Classifier, printed: &Printed) -> Self {
        let spans = Spans::of(printed);
        Self {
            titles: name_predictions(&spans, &classifier.title_probabilities(&spans), printed),
            organizations: name_predictions(&spans, &classifier.organization_probabilities(&spans), printed),
        }
    }

    /// The probability of the most likely title or of the most likely organisation, whichever is
    /// lower.
    pub(crate) fn probability(&self) -> f64 {
        let probability =
            |predictions: &[NamePrediction]| likeliest(predictions).map_or(0.0, |read| read.probability);
        probability(&self.titles).min(probability(&self.organizations))
    }
}

/// Selects the title of the rules or of the classifier. A title of the rules is certain only if
/// the classifier confirms it. A title that only the classifier found is certain if its
/// probability is very high.
///
/// `body` is the byte position at which the heading ends.
pub(crate) fn select_title(
    rules: Option<Found<String>>,
    all_names: &NamePredictions,
    head: &[Headline],
    body: usize,
) -> Selection<String> {
    let predictions = &all_names.titles;
    let best = likeliest(predictions);
    let Some(found) = rules else {
        return Selection::without_alternatives(
            best.filter(|best| best.probability >= TITLE_OVERRULES).map(unopposed_prediction),
        );
    };
    let is_same = |value: &str| has_same_words(value, &found.value);
    // The prediction `Quotations for the Supply of Pipes` confirms the title `Supply of Pipes`:
    // the words before the work verb are only a call.
    let follows_call =
        |value: &str| begins_with_work_verb(&found.value) && is_call_with_title(value, &found.value);
    let is_meant =
        |read: &NamePrediction| is_same(&read.value) || extends_title(read, &found.range, head, body);
    let meant = predictions.iter().filter(|read| is_meant(read) || follows_call(&read.value));
    let weight: f64 = meant.map(|read| read.probability).sum();
    let agree = best.is_some_and(is_meant);
    // Agreement does not make a flawed title certain.
    let is_whole = found.confidence > FLAWED_CEILING;
    let is_certain = agree && total_probability(predictions, is_same) >= TITLE_CONFIRMS
        || found.confidence >= RULES_READ_TWICE && weight >= REPEATED_TITLE_CONFIRMS
        || found.confidence >= RULES_WORDED_TITLE && weight >= WORDED_TITLE_CONFIRMS;
    if is_whole && is_certain {
        return Selection::without_alternatives(Some(raise_to_agreed(found)));
    }
    let least = if found.confidence >= RULES_CERTAIN { OVERRULES_CERTAIN } else { TITLE_OVERRULES };
    match best {
        Some(_) if agree => Selection::without_alternatives(Some(cap_confidence(found))),
        Some(best) if best.probability >= least && !is_call_with_title(&best.value, &found.value) => {
            Selection::with_alternative(capped_prediction(best), Alternative::of_rules(found))
        }
        Some(best) if best.probability >= WORTH_SHOWING => Selection::with_alternative(
            cap_confidence(found),
            Alternative::of_classifier(capped_prediction(best)),
        ),
        _ => Selection::without_alternatives(Some(cap_confidence(found))),
    }
}

/// Selects the organisation of the rules or of the classifier. A name of the rules is certain if
/// the classifier confirms it, or if it is listed, printed twice and not contradicted. A name that
/// only the classifier found is certain if its probability is very high. `is_listed` says whether
/// the gazetteer has the name of the rules word for word.
pub(crate) fn select_organization(
    rules: Option<Found<String>>,
    all_names: &NamePredictions,
    is_listed: bool,
) -> Selection<String> {
    let predictions = &all_names.organizations;
    let best = likeliest(predictions);
    let Some(found) = rules else {
        return Selection::without_alternatives(
            best.filter(|best| best.probability >= ORGANIZATION_FILLS).map(unopposed_prediction),
        );
    };
    let same = total_probability(predictions, |value| is_same_organization(value, &found.value));
    let agree = best.is_some_and(|best| is_same_organization(&best.value, &found.value));
    let is_known = is_listed || found.confidence >= RULES_READ_TWICE;
    let confirms = if is_known { KNOWN_ORGANIZATION_CONFIRMS } else { UNKNOWN_ORGANIZATION_CONFIRMS };
    // A listed name that is printed twice is right, unless another name is likely.
    let is_settled = is_listed
        && found.confidence >= RULES_READ_TWICE
        && (agree || best.is_none_or(|best| best.probability < TITLE_OVERRULES));
    if is_settled || agree && same >= confirms && found.confidence > FLAWED_CEILING {
        return Selection::without_alternatives(Some(raise_to_agreed(found)));
    }
    let overrules =
        if found.confidence >= RULES_CERTAIN { OVERRULES_CERTAIN } else { ORGANIZATION_OVERRULES };
    match best {
        Some(_) if agree => Selection::without_alternatives(Some(cap_confidence(found))),
        Some(best) if best.probability >= overrules => {
            Selection::with_alternative(capped_prediction(best), Alternative::of_rules(found))
        }
        Some(best) if best.probability >= WORTH_SHOWING => Selection::with_alternative(
            cap_confidence(found),
            Alternative::of_classifier(capped_prediction(best)),
        ),
        _ => Selection::without_alternatives(Some(cap_confidence(found))),
    }
}

/// The value of a prediction if the rules found none. A very likely prediction is certain.
fn unopposed_prediction(prediction: &NamePrediction) -> Found<String> {
    let found = capped_prediction(prediction);
    if prediction.probability >= CERTAIN_ALONE { raise_to_agreed(found) } else { found }
}

/// The value of a prediction, with a confidence of at most [`CLASSIFIER_CEILING`].
fn capped_prediction(prediction: &NamePrediction) -> Found<String> {
    Found::new(
        prediction.value.clone(),
        prediction.probability.min(CLASSIFIER_CEILING),
        prediction.range.clone(),
    )
}

fn raise_to_agreed(found: Found<String>) -> Found<String> {
    Found { confidence: found.confidence.max(AGREED_CONFIDENCE), ..found }
}

fn cap_confidence(found: Found<String>) -> Found<String> {
    Found { confidence: found.confidence.min(CLASSIFIER_CEILING), ..found }
}

/// Whether a prediction is the title, possibly with heading lines of other roles above it and with
/// the sentence below it.
fn extends_title(read: &NamePrediction, title: &Range<usize>, head: &[Headline], body: usize) -> bool {
    let [before, after] = [read.range.start..title.start, title.end..read.range.end];
    let begins = |line: &&Headline| before.contains(&line.text.range.start);
    let holds = |line: &&Headline| line.text.range.contains(&before.start);
    let is_below_names = head.iter().any(|line| holds(&line))
        && head.iter().filter(|line| holds(line) || begins(line)).all(|line| line.role != Role::Title);
    before.start <= before.end
        && after.start <= after.end
        && (before.is_empty() || is_below_names)
        && (after.is_empty() || title.end <= body && body < after.end)
}

/// Whether `longer` has words before the title and ends with the title, as in
/// `Tender for the Supply of Pipes`.
fn is_call_with_title(longer: &str, title: &str) -> bool {
    plain_words(longer).ends_with(&format!(" {}", plain_words(title)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Gazetteer, rules::heading::parse_heading};

    const TEXT: &str = "வீதி அபிவிருத்தி\nஅதிகார சபை\nபெறுகை அறிவித்தல்\nகிராமிய வீதிகளை புனரமைத்தல்\n\n\
                        தகுதியுடைய வழங்குநர்களிடமிருந்து விலைமனுக்கள் கோரப்படுகின்றன.";
    const TITLE: &str = "கிராமிய வீதிகளை புனரமைத்தல்";

    /// The confidence of the title of the rules after the predictions `read` are considered.
    fn title_confidence(read: &[(&str, f64)]) -> f64 {
        let printed = Printed::plain(TEXT);
        let (head, body) = parse_heading(&printed, Gazetteer::built_in());
        let range = |words: &str| printed.flow().find(words).map(|at| at..at + words.len()).unwrap();
        let titles = read.iter().map(|(words, probability)| NamePrediction {
            value: (*words).to_owned(),
            probability: *probability,
            range: range(words),
        });
        let predictions = NamePredictions { titles: titles.collect(), organizations: Vec::new() };
        let rules = Found::new(TITLE.to_owned(), 0.88, range(TITLE));
        select_title(Some(rules), &predictions, &head, body).chosen.unwrap().confidence
    }

    #[test]
    fn a_prediction_with_text_around_the_title_confirms_the_title() {
        let below = "கிராமிய வீதிகளை புனரமைத்தல்\n\nதகுதியுடைய வழங்குநர்களிடமிருந்து";
        let above = "அதிகார சபை\nபெறுகை அறிவித்தல்\nகிராமிய வீதிகளை புனரமைத்தல்";
        let [below, above] = [below, above].map(|words| Printed::plain(words).flow().to_owned());
        assert_eq!(title_confidence(&[(TITLE, 0.2), (&below, 0.25)]), 0.88);
        assert_eq!(title_confidence(&[(TITLE, 0.2), (&above, 0.25)]), 0.88);
        assert_eq!(title_confidence(&[(TITLE, 0.2)]), CLASSIFIER_CEILING, "the total probability is too low");
        assert_eq!(
            title_confidence(&[(TITLE, 0.2), ("வீதிகளை புனரமைத்தல்", 0.29)]),
            CLASSIFIER_CEILING,
            "a part of the title does not confirm it"
        );
    }

    #[test]
    fn a_listed_repeated_name_is_certain_unless_contradicted() {
        let name_confidence = |other: f64, is_listed: bool| {
            let read = |value: &str, probability| NamePrediction {
                value: value.to_owned(),
                probability,
                range: 0..1,
            };
            let predictions = NamePredictions {
                titles: Vec::new(),
                organizations: vec![read("ලංකා බැංකුව", 0.15), read("මිල ගණන් කැඳවීම", other)],
            };
            let rules = Found::new("ලංකා බැංකුව".to_owned(), 0.97, 0..1);
            select_organization(Some(rules), &predictions, is_listed).chosen.unwrap().confidence
        };
        assert_eq!(name_confidence(0.2, true), 0.97);
        assert_eq!(name_confidence(0.4, true), CLASSIFIER_CEILING);
        assert_eq!(name_confidence(0.2, false), CLASSIFIER_CEILING);
    }
}
