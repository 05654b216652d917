//! Trains the weights of the classifier. The same notices always give the same weights.
//!
//! Dates, amounts and kinds of texts are classified by a multinomial logistic regression on words.
//! A second regression uses the other features, such as relations between candidates. Its weights
//! are reduced and added to the weights of words, because invented notices are more regular than
//! real ones.
//!
//! Titles and organisations are selected by a conditional logistic regression. The spans of a
//! notice compete to be its title or its organisation.
//!
//! All regressions use only words that occur in several data sources.

use crate::notices::{DataSource, Notice};
use ingest::extract::{
    Printed,
    classifier::{
        AMOUNT_GROUP, AmountCandidate, BIAS, DATE_GROUP, DateCandidate, LEARNED_KINDS, NOTICE_KIND_GROUP,
        ORGANIZATION_GROUP, Spans, TEXT_CLASSES, TITLE_GROUP, WORD_FEATURE_MARK, amount_candidates,
        date_candidates, has_same_words, text_features,
    },
};
use jiff::civil::Time;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use tender_model::vocabulary::Day;

/// The factor that reduces the weights of features that are not words.
const RELATION_WEIGHT: f64 = 0.25;
/// The minimum number of data sources in which a word occurs. Other words are dropped.
const MIN_SOURCES: usize = 2;
/// The minimum number of candidates in which a word occurs. Other words are dropped.
const MIN_CANDIDATES: usize = 3;
const ROUNDS: i32 = 60;
const LEARNING_RATE: f64 = 0.1;
/// The last round with `LEARNING_RATE`. Later rounds use `LATE_LEARNING_RATE`.
const LAST_EARLY_ROUND: i32 = 36;
const LATE_LEARNING_RATE: f64 = 0.02;
/// A feature is not written if the absolute values of all its weights are smaller than this.
const MIN_WEIGHT: f64 = 0.04;
/// The L2 regularisation of dates, amounts and kinds.
const REGULARISATION: f64 = 1.0;
/// The L2 regularisation of titles and organisations. It is stronger, because the many spans of a
/// text consist of few words.
const SPAN_REGULARISATION: f64 = 3.0;

/// A candidate or a text, with its features and its class. A candidate of class 0 belongs to no
/// field. A text of class 0 is a purchase.
struct Example {
    features: Vec<String>,
    class: usize,
}

/// Trains the weights, and returns them in the file format of the classifier.
pub(crate) fn train_weights(sources: &[&DataSource]) -> String {
    let mut text = String::from(
        "# The weights of each feature per class. Written by `cargo run -p ingest --example classifier`; see ingest/ACCURACY.md.\n",
    );
    let date_examples: Vec<Vec<Example>> =
        sources.iter().map(|source| collect_examples(source, date_examples)).collect();
    let amount_examples: Vec<Vec<Example>> =
        sources.iter().map(|source| collect_examples(source, amount_examples)).collect();
    write_weights(&mut text, DATE_GROUP, &train_regressions::<2>(&date_examples));
    write_weights(&mut text, AMOUNT_GROUP, &train_regressions::<3>(&amount_examples));
    let kind_examples: Vec<Vec<Example>> = sources.iter().map(|source| text_examples(source)).collect();
    write_weights(&mut text, NOTICE_KIND_GROUP, &train_regressions::<TEXT_CLASSES>(&kind_examples));
    write_weights(&mut text, TITLE_GROUP, &train_spans(sources, |notice| notice.title.as_deref()));
    write_weights(
        &mut text,
        ORGANIZATION_GROUP,
        &train_spans(sources, |notice| notice.organization.as_deref()),
    );
    text
}

fn collect_examples(source: &DataSource, of: fn(&Notice) -> Vec<Example>) -> Vec<Example> {
    source.notices.iter().filter(|_| source.trains_all).flat_map(of).collect()
}

/// The texts of a data source with their kinds as classes. A notice counts as a purchase if its
/// kind is unknown or is not one of the learned kinds.
fn text_examples(source: &DataSource) -> Vec<Example> {
    let notices = source.notices.iter().filter(|_| source.trains_all).map(|notice| {
        let kind = notice.kind.and_then(|kind| LEARNED_KINDS.iter().position(|other| *other == kind));
        (&notice.printed, kind.map_or(0, |nth| nth + 1))
    });
    let others = source.others.iter().map(|printed| (printed, TEXT_CLASSES - 1));
    notices
        .chain(others)
        .map(|(printed, class)| Example { features: text_features(printed), class })
        .collect()
}

/// Trains the weights of titles or organisations. `truth` returns the true title or organisation
/// of a notice. Texts that are not notices have neither.
fn train_spans(sources: &[&DataSource], truth: fn(&Notice) -> Option<&str>) -> Weights<2> {
    let of_source = |source: &&DataSource| {
        let of_notice = |notice: &Notice| {
            [&notice.printed, &notice.narrow].map(|printed| span_examples(printed, truth(notice)))
        };
        let others = source.others.iter().map(|printed| span_examples(printed, None));
        source.notices.iter().flat_map(of_notice).chain(others).collect()
    };
    let sources: Vec<Vec<Vec<Example>>> = sources.iter().map(of_source).collect();
    let words = common_words(sources.iter().map(|source| source.iter().flatten()));
    let contests: Vec<&[Example]> = sources.iter().flatten().map(Vec::as_slice).collect();
    train_contests(&contests, |name| !name.contains(WORD_FEATURE_MARK) || words.contains(name))
}

/// The spans of a text. A span with the words of `truth` has class 1.
fn span_examples(printed: &Printed, truth: Option<&str>) -> Vec<Example> {
    let spans = Spans::of(printed);
    let examples = (0..spans.len()).map(|nth| Example {
        features: spans.features(nth),
        class: usize::from(
            truth.is_some_and(|truth| has_same_words(truth, &printed.flow()[spans.range(nth)])),
        ),
    });
    examples.collect()
}

fn date_examples(notice: &Notice) -> Vec<Example> {
    let class = |candidate: &DateCandidate| {
        usize::from(notice.closing.is_some_and(|closing| is_closing(candidate, closing)))
    };
    let candidates = date_candidates(&notice.printed, None).into_iter();
    candidates.map(|candidate| Example { class: class(&candidate), features: candidate.features }).collect()
}

/// Whether a candidate is the closing. If both times are known, they must be equal.
fn is_closing(candidate: &DateCandidate, (day, time): (Day, Option<Time>)) -> bool {
    candidate.day == day && (time.is_none() || candidate.time.is_none() || candidate.time == time)
}

fn amount_examples(notice: &Notice) -> Vec<Example> {
    let class = |sum: &AmountCandidate| match Some(sum.amount.number()) {
        amount if amount == notice.bid_security => 1,
        amount if amount == notice.fee => 2,
        _ => 0,
    };
    amount_candidates(&notice.printed)
        .into_iter()
        .map(|sum| Example { class: class(&sum), features: sum.features })
        .collect()
}

type Weights<const CLASSES: usize> = BTreeMap<String, [f64; CLASSES]>;

/// Trains a regression on words and one on the other features, and adds their weights.
fn train_regressions<const CLASSES: usize>(sources: &[Vec<Example>]) -> Weights<CLASSES> {
    let words = common_words(sources.iter().map(|source| source.iter()));
    let examples: Vec<&Example> = sources.iter().flatten().collect();
    let mut weights = train_regression::<CLASSES>(&examples, |name| words.contains(name));
    let relations = train_regression::<CLASSES>(&examples, |name| !name.contains(WORD_FEATURE_MARK));
    let count = |class: usize| examples.iter().filter(|example| example.class == class).count();
    for (name, relation_weights) in relations {
        let sum = weights.entry(name).or_insert([0.0; CLASSES]);
        *sum = std::array::from_fn(|class| sum[class] + RELATION_WEIGHT * relation_weights[class]);
    }
    if let Some(bias) = weights.get_mut(BIAS) {
        // Both biases contain the class frequencies, which must count once.
        *bias =
            std::array::from_fn(|class| bias[class] - RELATION_WEIGHT * (count(class).max(1) as f64).ln());
    }
    weights
}

/// The word features that occur in at least `MIN_SOURCES` sources and `MIN_CANDIDATES` candidates.
fn common_words<'e>(sources: impl Iterator<Item = impl Iterator<Item = &'e Example>>) -> BTreeSet<String> {
    let mut by_feature: HashMap<&str, (usize, usize)> = HashMap::new();
    for source in sources {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in source.flat_map(|example| &example.features) {
            *counts.entry(name).or_default() += 1;
        }
        for (name, count) in counts {
            let (sources, candidates) = by_feature.entry(name).or_default();
            *sources += 1;
            *candidates += count;
        }
    }
    let is_common = |(_, (sources, candidates)): &(&str, (usize, usize))| {
        *sources >= MIN_SOURCES && *candidates >= MIN_CANDIDATES
    };
    let words = by_feature.into_iter().filter(|(name, _)| name.contains(WORD_FEATURE_MARK));
    words.filter(is_common).map(|(name, _)| name.to_owned()).collect()
}

/// Multinomial logistic regression.
fn train_regression<const CLASSES: usize>(
    examples: &[&Example],
    is_used: impl Fn(&str) -> bool,
) -> Weights<CLASSES> {
    let names = FeatureIndex::of(examples.iter().copied(), is_used);
    let rows: Vec<(Vec<usize>, usize)> =
        examples.iter().map(|example| (names.indices(example), example.class)).collect();
    let weights = minimise(names.0.len(), |weights| gradient(&rows, weights));
    names.0.into_iter().map(str::to_owned).zip(weights).collect()
}

/// Conditional logistic regression. In each contest, an example of class 1 should win. If there is
/// no such example, the null candidate should win.
fn train_contests(contests: &[&[Example]], is_used: impl Fn(&str) -> bool) -> Weights<2> {
    let names = FeatureIndex::of(contests.iter().copied().flatten(), is_used);
    let indexed = |example: &Example| (names.indices(example), example.class == 1);
    let rows: Vec<Vec<(Vec<usize>, bool)>> =
        contests.iter().map(|examples| examples.iter().map(indexed).collect()).collect();
    let weights = minimise::<1>(names.0.len(), |weights| contest_gradient(&rows, weights));
    names.0.into_iter().map(str::to_owned).zip(weights.into_iter().map(|[weight]| [0.0, weight])).collect()
}

/// The features in use in the order of their indices, and their indices by name. Index 0 is the
/// bias.
struct FeatureIndex<'e>(Vec<&'e str>, HashMap<&'e str, usize>);

impl<'e> FeatureIndex<'e> {
    fn of(examples: impl Iterator<Item = &'e Example>, is_used: impl Fn(&str) -> bool) -> Self {
        let features = examples.flat_map(|example| &example.features).map(String::as_str);
        let names: BTreeSet<&str> = features.filter(|name| is_used(name)).collect();
        let names: Vec<&str> = std::iter::once(BIAS).chain(names).collect();
        let indices = names.iter().enumerate().map(|(nth, name)| (*name, nth)).collect();
        Self(names, indices)
    }

    fn indices(&self, example: &Example) -> Vec<usize> {
        let known = example.features.iter().filter_map(|name| self.1.get(name.as_str()).copied());
        std::iter::once(0).chain(known).collect()
    }
}

/// Minimises a loss with the Adam optimiser. It starts with zero weights and uses all examples in
/// each round.
fn minimise<const CLASSES: usize>(
    count: usize,
    gradient: impl Fn(&[[f64; CLASSES]]) -> Vec<[f64; CLASSES]>,
) -> Vec<[f64; CLASSES]> {
    let mut weights = vec![[0.0; CLASSES]; count];
    let (mut first_moments, mut second_moments) = (weights.clone(), weights.clone());
    for round in 1..=ROUNDS {
        let step = if round <= LAST_EARLY_ROUND { LEARNING_RATE } else { LATE_LEARNING_RATE };
        for (nth, gradient) in gradient(&weights).into_iter().enumerate() {
            for class in 0..CLASSES {
                let (first_moment, second_moment) =
                    (&mut first_moments[nth][class], &mut second_moments[nth][class]);
                *first_moment = 0.9 * *first_moment + 0.1 * gradient[class];
                *second_moment = 0.99 * *second_moment + 0.01 * gradient[class] * gradient[class];
                let (mean, variance) = (
                    *first_moment / (1.0 - 0.9_f64.powi(round)),
                    *second_moment / (1.0 - 0.99_f64.powi(round)),
                );
                weights[nth][class] -= step * mean / (variance.sqrt() + 1e-8);
            }
        }
    }
    weights
}

/// The gradient of the loss of conditional regression. The null candidate has score 0.
fn contest_gradient(contests: &[Vec<(Vec<usize>, bool)>], weights: &[[f64; 1]]) -> Vec<[f64; 1]> {
    let mut gradient: Vec<f64> = weights.iter().map(|[weight]| SPAN_REGULARISATION * weight).collect();
    gradient[0] = 0.0;
    for rows in contests {
        let scores: Vec<f64> =
            rows.iter().map(|(features, _)| features.iter().map(|nth| weights[*nth][0]).sum()).collect();
        let max_score = scores.iter().copied().fold(0.0, f64::max);
        let null_exp = (-max_score).exp();
        let exp_scores: Vec<f64> = scores.iter().map(|score| (score - max_score).exp()).collect();
        let all = null_exp + exp_scores.iter().sum::<f64>();
        let correct_exp: f64 = rows
            .iter()
            .zip(&exp_scores)
            .filter(|((_, is_right), _)| *is_right)
            .map(|(_, exp_score)| exp_score)
            .sum();
        for ((features, is_right), exp_score) in rows.iter().zip(&exp_scores) {
            let wanted = if *is_right { exp_score / correct_exp } else { 0.0 };
            for &nth in features {
                gradient[nth] += exp_score / all - wanted;
            }
        }
    }
    let count = contests.len() as f64;
    gradient.into_iter().map(|gradient| [gradient / count]).collect()
}

/// The gradient of the loss of multinomial regression.
fn gradient<const CLASSES: usize>(
    rows: &[(Vec<usize>, usize)],
    weights: &[[f64; CLASSES]],
) -> Vec<[f64; CLASSES]> {
    let mut gradient: Vec<[f64; CLASSES]> = weights.to_vec();
    for weights in &mut gradient {
        *weights = weights.map(|weight| REGULARISATION * weight);
    }
    gradient[0] = [0.0; CLASSES];
    for (features, class) in rows {
        let mut scores = [0.0; CLASSES];
        for &nth in features {
            scores = std::array::from_fn(|class| scores[class] + weights[nth][class]);
        }
        let max_score = scores.iter().copied().fold(f64::MIN, f64::max);
        let exp_scores = scores.map(|score| (score - max_score).exp());
        let all: f64 = exp_scores.iter().sum();
        for &nth in features {
            for (other, exp_score) in exp_scores.iter().enumerate() {
                gradient[nth][other] += exp_score / all - f64::from(u8::from(other == *class));
            }
        }
    }
    let count = rows.len() as f64;
    gradient.into_iter().map(|weights| weights.map(|weight| weight / count)).collect()
}

/// Writes the differences from the weights of the first class, with two decimals. A feature is
/// dropped if all differences are smaller than `MIN_WEIGHT`.
fn write_weights<const CLASSES: usize>(text: &mut String, of: &str, weights: &Weights<CLASSES>) {
    for (name, weights) in weights {
        let relative: Vec<f64> = weights[1..].iter().map(|weight| weight - weights[0]).collect();
        if relative.iter().any(|weight| weight.abs() >= MIN_WEIGHT) {
            let relative: Vec<String> = relative.iter().map(|weight| format!("{weight:.2}")).collect();
            // Writing to a string never fails.
            let _ = writeln!(text, "{of}\t{name}\t{}", relative.join("\t"));
        }
    }
}
