//! Trains the weights. The same notices give the same weights.
//!
//! Dates, amounts and texts: a multinomial logistic regression on the words, plus a second one on
//! the relations between candidates with a smaller weight, because invented notices are more
//! regular than real ones.
//!
//! Spans: a conditional logistic regression, in which the spans of a notice compete to be the title
//! or the organisation. Only words used by several data sources count.

use crate::notices::{DataSource, Notice};
use index::vocabulary::Day;
use ingest::extract::{
    Printed,
    classifier::{
        ASKS, AmountCandidate, BIAS, BODIES, DateCandidate, KINDS, MOMENTS, OF_WORDS, ROLES_OF_TEXTS, SUMS,
        Spans, TITLES, amount_candidates, date_candidates, has_same_words, text_features,
    },
};
use jiff::civil::Time;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// The weight of relation features.
const SAY_OF_PLACES: f64 = 0.25;
/// Words of fewer data sources or candidates are dropped.
const MIN_HANDS: usize = 2;
const MIN_CANDIDATES: usize = 3;
const ROUNDS: i32 = 60;
const STEP: f64 = 0.1;
/// The learning rate is smaller in the last rounds.
const LATE_ROUND: i32 = 36;
const LATE_STEP: f64 = 0.02;
/// Smaller weights are dropped.
const MIN_SAID: f64 = 0.04;
/// The L2 regularisation; spans need more, because many of them share few words.
const RESTRAINT: f64 = 1.0;
const RESTRAINT_OF_RUNS: f64 = 3.0;

/// A candidate with its features and its class, 0 for none.
struct Example {
    features: Vec<String>,
    role: usize,
}

/// Trains the weights and writes them in the format of the classifier.
pub(crate) fn weights(sources: &[&DataSource]) -> String {
    let mut text = String::from(
        "# The weights of each feature per class. Written by `cargo run -p ingest --example classifier`; see ingest/ACCURACY.md.\n",
    );
    let of_moments: Vec<Vec<Example>> = sources.iter().map(|source| examples(source, of_moments)).collect();
    let of_sums: Vec<Vec<Example>> = sources.iter().map(|source| examples(source, of_sums)).collect();
    write(&mut text, MOMENTS, &learnt::<2>(&of_moments));
    write(&mut text, SUMS, &learnt::<3>(&of_sums));
    let of_texts: Vec<Vec<Example>> = sources.iter().map(|source| texts(source)).collect();
    write(&mut text, ASKS, &learnt::<ROLES_OF_TEXTS>(&of_texts));
    write(&mut text, TITLES, &learnt_of_runs(sources, |notice| notice.title.as_deref()));
    write(&mut text, BODIES, &learnt_of_runs(sources, |notice| notice.body.as_deref()));
    text
}

fn examples(source: &DataSource, of: fn(&Notice) -> Vec<Example>) -> Vec<Example> {
    source.notices.iter().filter(|_| source.trains_all).flat_map(of).collect()
}

/// The texts of a data source by kind. A notice without a known kind is a purchase.
fn texts(source: &DataSource) -> Vec<Example> {
    let notices = source.notices.iter().filter(|_| source.trains_all).map(|notice| {
        let kind = notice.kind.and_then(|kind| KINDS.iter().position(|other| *other == kind));
        (&notice.printed, kind.map_or(0, |nth| nth + 1))
    });
    let others = source.others.iter().map(|printed| (printed, ROLES_OF_TEXTS - 1));
    notices.chain(others).map(|(printed, role)| Example { features: text_features(printed), role }).collect()
}

/// Trains the weights of spans. `truth` gives the right one. Other texts have no right span.
fn learnt_of_runs(sources: &[&DataSource], truth: fn(&Notice) -> Option<&str>) -> Weights<2> {
    let of_hand = |source: &&DataSource| {
        let of_notice =
            |notice: &Notice| [&notice.printed, &notice.narrow].map(|printed| runs(printed, truth(notice)));
        let others = source.others.iter().map(|printed| runs(printed, None));
        source.notices.iter().flat_map(of_notice).chain(others).collect()
    };
    let sources: Vec<Vec<Vec<Example>>> = sources.iter().map(of_hand).collect();
    let words = common_words(sources.iter().map(|source| source.iter().flatten()));
    let contests: Vec<&[Example]> = sources.iter().flatten().map(Vec::as_slice).collect();
    contest(&contests, |name| !name.contains(OF_WORDS) || words.contains(name))
}

/// The spans of a text. The class of the right ones is 1.
fn runs(printed: &Printed, truth: Option<&str>) -> Vec<Example> {
    let spans = Spans::of(printed);
    let runs = (0..spans.len()).map(|nth| Example {
        features: spans.features(nth),
        role: usize::from(
            truth.is_some_and(|truth| has_same_words(truth, &printed.flow()[spans.range(nth)])),
        ),
    });
    runs.collect()
}

fn of_moments(notice: &Notice) -> Vec<Example> {
    let role =
        |candidate: &DateCandidate| usize::from(notice.closing.is_some_and(|closing| is(candidate, closing)));
    let candidates = date_candidates(&notice.printed, None).into_iter();
    candidates.map(|candidate| Example { role: role(&candidate), features: candidate.features }).collect()
}

/// Whether a candidate is the closing. The times must be equal if both are known.
fn is(candidate: &DateCandidate, (day, time): (Day, Option<Time>)) -> bool {
    candidate.day == day && (time.is_none() || candidate.time.is_none() || candidate.time == time)
}

fn of_sums(notice: &Notice) -> Vec<Example> {
    let role = |sum: &AmountCandidate| match Some(sum.amount.number()) {
        amount if amount == notice.security => 1,
        amount if amount == notice.fee => 2,
        _ => 0,
    };
    amount_candidates(&notice.printed)
        .into_iter()
        .map(|sum| Example { role: role(&sum), features: sum.features })
        .collect()
}

type Weights<const ROLES: usize> = BTreeMap<String, [f64; ROLES]>;

/// Trains and adds both regressions. The weights are relative to the first class.
fn learnt<const ROLES: usize>(sources: &[Vec<Example>]) -> Weights<ROLES> {
    let words = common_words(sources.iter().map(|source| source.iter()));
    let examples: Vec<&Example> = sources.iter().flatten().collect();
    let mut weights = regression::<ROLES>(&examples, |name| words.contains(name));
    let places = regression::<ROLES>(&examples, |name| !name.contains(OF_WORDS));
    let count = |role: usize| examples.iter().filter(|example| example.role == role).count();
    for (name, said) in places {
        let sum = weights.entry(name).or_insert([0.0; ROLES]);
        *sum = std::array::from_fn(|role| sum[role] + SAY_OF_PLACES * said[role]);
    }
    if let Some(bias) = weights.get_mut(BIAS) {
        // Both biases contain the class frequencies, which must count once.
        *bias = std::array::from_fn(|role| bias[role] - SAY_OF_PLACES * (count(role).max(1) as f64).ln());
    }
    weights
}

/// The word features of several data sources.
fn common_words<'e>(sources: impl Iterator<Item = impl Iterator<Item = &'e Example>>) -> BTreeSet<String> {
    let mut by_hands: HashMap<&str, (usize, usize)> = HashMap::new();
    for source in sources {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in source.flat_map(|example| &example.features) {
            *counts.entry(name).or_default() += 1;
        }
        for (name, count) in counts {
            let (sources, candidates) = by_hands.entry(name).or_default();
            *sources += 1;
            *candidates += count;
        }
    }
    let is_common = |(_, (sources, candidates)): &(&str, (usize, usize))| {
        *sources >= MIN_HANDS && *candidates >= MIN_CANDIDATES
    };
    let words = by_hands.into_iter().filter(|(name, _)| name.contains(OF_WORDS));
    words.filter(is_common).map(|(name, _)| name.to_owned()).collect()
}

/// Multinomial logistic regression.
fn regression<const ROLES: usize>(examples: &[&Example], is_used: impl Fn(&str) -> bool) -> Weights<ROLES> {
    let names = Names::of(examples.iter().copied(), is_used);
    let rows: Vec<(Vec<usize>, usize)> =
        examples.iter().map(|example| (names.places(example), example.role)).collect();
    let weights = descend(names.0.len(), |weights| slope(&rows, weights));
    names.0.into_iter().map(str::to_owned).zip(weights).collect()
}

/// Conditional logistic regression: one example of class 1 should win in each contest, or none if
/// there are none.
fn contest(contests: &[&[Example]], is_used: impl Fn(&str) -> bool) -> Weights<2> {
    let names = Names::of(contests.iter().copied().flatten(), is_used);
    let place = |example: &Example| (names.places(example), example.role == 1);
    let rows: Vec<Vec<(Vec<usize>, bool)>> =
        contests.iter().map(|examples| examples.iter().map(place).collect()).collect();
    let weights = descend::<1>(names.0.len(), |weights| slope_of_contests(&rows, weights));
    names.0.into_iter().map(str::to_owned).zip(weights.into_iter().map(|[weight]| [0.0, weight])).collect()
}

/// The features in use, in order. The first one is the bias.
struct Names<'e>(Vec<&'e str>, HashMap<&'e str, usize>);

impl<'e> Names<'e> {
    fn of(examples: impl Iterator<Item = &'e Example>, is_used: impl Fn(&str) -> bool) -> Self {
        let features = examples.flat_map(|example| &example.features).map(String::as_str);
        let names: BTreeSet<&str> = features.filter(|name| is_used(name)).collect();
        let names: Vec<&str> = std::iter::once(BIAS).chain(names).collect();
        let places = names.iter().enumerate().map(|(nth, name)| (*name, nth)).collect();
        Self(names, places)
    }

    fn places(&self, example: &Example) -> Vec<usize> {
        let known = example.features.iter().filter_map(|name| self.1.get(name.as_str()).copied());
        std::iter::once(0).chain(known).collect()
    }
}

/// Adam on all examples at once, from zero weights.
fn descend<const ROLES: usize>(
    count: usize,
    slope: impl Fn(&[[f64; ROLES]]) -> Vec<[f64; ROLES]>,
) -> Vec<[f64; ROLES]> {
    let mut weights = vec![[0.0; ROLES]; count];
    let (mut mean, mut spread) = (weights.clone(), weights.clone());
    for round in 1..=ROUNDS {
        let step = if round <= LATE_ROUND { STEP } else { LATE_STEP };
        for (nth, slope) in slope(&weights).into_iter().enumerate() {
            for role in 0..ROLES {
                let (mean, spread) = (&mut mean[nth][role], &mut spread[nth][role]);
                *mean = 0.9 * *mean + 0.1 * slope[role];
                *spread = 0.99 * *spread + 0.01 * slope[role] * slope[role];
                let (mean, spread) =
                    (*mean / (1.0 - 0.9_f64.powi(round)), *spread / (1.0 - 0.99_f64.powi(round)));
                weights[nth][role] -= step * mean / (spread.sqrt() + 1e-8);
            }
        }
    }
    weights
}

/// The gradient of the loss of the contests. The null candidate has score 0.
fn slope_of_contests(contests: &[Vec<(Vec<usize>, bool)>], weights: &[[f64; 1]]) -> Vec<[f64; 1]> {
    let mut slope: Vec<f64> = weights.iter().map(|[weight]| RESTRAINT_OF_RUNS * weight).collect();
    slope[0] = 0.0;
    for rows in contests {
        let sums: Vec<f64> =
            rows.iter().map(|(features, _)| features.iter().map(|nth| weights[*nth][0]).sum()).collect();
        let most = sums.iter().copied().fold(0.0, f64::max);
        let nobody = (-most).exp();
        let powers: Vec<f64> = sums.iter().map(|sum| (sum - most).exp()).collect();
        let all = nobody + powers.iter().sum::<f64>();
        let right: f64 =
            rows.iter().zip(&powers).filter(|((_, right), _)| *right).map(|(_, power)| power).sum();
        for ((features, is_right), power) in rows.iter().zip(&powers) {
            let wanted = if *is_right { power / right } else { 0.0 };
            for &nth in features {
                slope[nth] += power / all - wanted;
            }
        }
    }
    let count = contests.len() as f64;
    slope.into_iter().map(|slope| [slope / count]).collect()
}

/// The gradient of the loss.
fn slope<const ROLES: usize>(rows: &[(Vec<usize>, usize)], weights: &[[f64; ROLES]]) -> Vec<[f64; ROLES]> {
    let mut slope: Vec<[f64; ROLES]> = weights.to_vec();
    for weights in &mut slope {
        *weights = weights.map(|weight| RESTRAINT * weight);
    }
    slope[0] = [0.0; ROLES];
    for (features, role) in rows {
        let mut sureness = [0.0; ROLES];
        for &nth in features {
            sureness = std::array::from_fn(|role| sureness[role] + weights[nth][role]);
        }
        let most = sureness.iter().copied().fold(f64::MIN, f64::max);
        let powers = sureness.map(|sum| (sum - most).exp());
        let all: f64 = powers.iter().sum();
        for &nth in features {
            for (other, power) in powers.iter().enumerate() {
                slope[nth][other] += power / all - f64::from(u8::from(other == *role));
            }
        }
    }
    let count = rows.len() as f64;
    slope.into_iter().map(|weights| weights.map(|weight| weight / count)).collect()
}

/// Writes weights in hundredths. Small ones are dropped.
fn write<const ROLES: usize>(text: &mut String, of: &str, weights: &Weights<ROLES>) {
    for (name, weights) in weights {
        let said: Vec<f64> = weights[1..].iter().map(|weight| weight - weights[0]).collect();
        if said.iter().any(|weight| weight.abs() >= MIN_SAID) {
            let said: Vec<String> = said.iter().map(|weight| format!("{weight:.2}")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{of}\t{name}\t{}", said.join("\t"));
        }
    }
}
