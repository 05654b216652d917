//! Learns weights: a multinomial logistic regression over the words and another over the places among the others, which are added
//! with less say for the places, since invented notices are more regular in these than real ones. Words count that several
//! hands have used. The same notices give the same weights.

use crate::notices::Notice;
use index::vocabulary::Day;
use ingest::extract::roles::{BIAS, MOMENTS, Mention, OF_WORDS, SUMS, Stated, moments, stated};
use jiff::civil::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How much the places say beside the words.
const SAY_OF_PLACES: f64 = 0.25;
/// Words that fewer hands use, or fewer candidates have, say nothing.
const LEAST_HANDS: usize = 2;
const LEAST_CANDIDATES: usize = 3;
const ROUNDS: i32 = 60;
const STEP: f64 = 0.1;
/// In the last rounds the steps are smaller.
const LATE_ROUND: i32 = 36;
const LATE_STEP: f64 = 0.02;
/// What holds the weights small.
const RESTRAINT: f64 = 1.0;

/// A candidate: what it goes by, and its role, 0 for none.
struct Example {
    traits: Vec<String>,
    role: usize,
}

/// The weights of notices by several hands, as the tagger reads them.
pub(crate) fn weights(hands: &[&[Notice]]) -> String {
    let mut text = String::from(
        "# What each trait says for the role of a moment or a sum. Written by `cargo run -p ingest --example roles`; see ingest/README.md.\n",
    );
    let of_moments: Vec<Vec<Example>> = hands.iter().map(|hand| examples(hand, of_moments)).collect();
    let of_sums: Vec<Vec<Example>> = hands.iter().map(|hand| examples(hand, of_sums)).collect();
    write(&mut text, MOMENTS, &learnt::<2>(&of_moments));
    write(&mut text, SUMS, &learnt::<3>(&of_sums));
    text
}

fn examples(notices: &[Notice], of: fn(&Notice) -> Vec<Example>) -> Vec<Example> {
    notices.iter().flat_map(of).collect()
}

fn of_moments(notice: &Notice) -> Vec<Example> {
    let role = |mention: &Mention| usize::from(notice.closing.is_some_and(|closing| is(mention, closing)));
    let mentions = moments(&notice.printed, None).into_iter();
    mentions.map(|mention| Example { role: role(&mention), traits: mention.traits }).collect()
}

/// Whether a mention is the closing, with its hour unless one of them prints none.
fn is(mention: &Mention, (day, time): (Day, Option<Time>)) -> bool {
    mention.day == day && (time.is_none() || mention.time.is_none() || mention.time == time)
}

fn of_sums(notice: &Notice) -> Vec<Example> {
    let role = |sum: &Stated| match Some(sum.amount.number()) {
        amount if amount == notice.security => 1,
        amount if amount == notice.fee => 2,
        _ => 0,
    };
    stated(&notice.printed).into_iter().map(|sum| Example { role: role(&sum), traits: sum.traits }).collect()
}

type Weights<const ROLES: usize> = BTreeMap<String, [f64; ROLES]>;

/// The weights of both regressions together. What all roles share says nothing, so that the first role's weight is taken from
/// each.
fn learnt<const ROLES: usize>(hands: &[Vec<Example>]) -> Weights<ROLES> {
    let words = common_words(hands);
    let examples: Vec<&Example> = hands.iter().flatten().collect();
    let mut weights = regression::<ROLES>(&examples, |name| words.contains(name));
    let places = regression::<ROLES>(&examples, |name| !name.contains(OF_WORDS));
    let count = |role: usize| examples.iter().filter(|example| example.role == role).count();
    for (name, said) in places {
        let sum = weights.entry(name).or_insert([0.0; ROLES]);
        *sum = std::array::from_fn(|role| sum[role] + SAY_OF_PLACES * said[role]);
    }
    if let Some(bias) = weights.get_mut(BIAS) {
        // Both know how frequent a role is; it counts once.
        *bias = std::array::from_fn(|role| bias[role] - SAY_OF_PLACES * (count(role).max(1) as f64).ln());
    }
    weights
}

/// The traits of words that several hands use.
fn common_words(hands: &[Vec<Example>]) -> BTreeSet<String> {
    let mut by_hands: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for hand in hands {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in hand.iter().flat_map(|example| &example.traits) {
            *counts.entry(name).or_default() += 1;
        }
        for (name, count) in counts {
            let (hands, candidates) = by_hands.entry(name).or_default();
            *hands += 1;
            *candidates += count;
        }
    }
    let is_common = |(_, (hands, candidates)): &(&str, (usize, usize))| {
        *hands >= LEAST_HANDS && *candidates >= LEAST_CANDIDATES
    };
    let words = by_hands.into_iter().filter(|(name, _)| name.contains(OF_WORDS));
    words.filter(is_common).map(|(name, _)| name.to_owned()).collect()
}

/// Multinomial logistic regression by Adam over all examples at once.
fn regression<const ROLES: usize>(examples: &[&Example], is_used: impl Fn(&str) -> bool) -> Weights<ROLES> {
    let names: BTreeSet<&str> = examples
        .iter()
        .flat_map(|example| &example.traits)
        .map(String::as_str)
        .filter(|name| is_used(name))
        .collect();
    let names: Vec<&str> = std::iter::once(BIAS).chain(names).collect();
    let place: BTreeMap<&str, usize> = names.iter().enumerate().map(|(nth, name)| (*name, nth)).collect();
    let rows: Vec<(Vec<usize>, usize)> = examples
        .iter()
        .map(|example| {
            let known = example.traits.iter().filter_map(|name| place.get(name.as_str()).copied());
            (std::iter::once(0).chain(known).collect(), example.role)
        })
        .collect();
    let mut weights = vec![[0.0; ROLES]; names.len()];
    let (mut mean, mut spread) = (weights.clone(), weights.clone());
    for round in 1..=ROUNDS {
        let slope = slope(&rows, &weights);
        let step = if round <= LATE_ROUND { STEP } else { LATE_STEP };
        for (nth, slope) in slope.into_iter().enumerate() {
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
    names.into_iter().map(str::to_owned).zip(weights).collect()
}

/// The slope of the loss at these weights.
fn slope<const ROLES: usize>(rows: &[(Vec<usize>, usize)], weights: &[[f64; ROLES]]) -> Vec<[f64; ROLES]> {
    let mut slope: Vec<[f64; ROLES]> = weights.to_vec();
    for weights in &mut slope {
        *weights = weights.map(|weight| RESTRAINT * weight);
    }
    slope[0] = [0.0; ROLES];
    for (traits, role) in rows {
        let mut sureness = [0.0; ROLES];
        for &nth in traits {
            sureness = std::array::from_fn(|role| sureness[role] + weights[nth][role]);
        }
        let most = sureness.iter().copied().fold(f64::MIN, f64::max);
        let powers = sureness.map(|sum| (sum - most).exp());
        let all: f64 = powers.iter().sum();
        for &nth in traits {
            for (other, power) in powers.iter().enumerate() {
                slope[nth][other] += power / all - f64::from(u8::from(other == *role));
            }
        }
    }
    let count = rows.len() as f64;
    slope.into_iter().map(|weights| weights.map(|weight| weight / count)).collect()
}

/// Weights in hundredths; what says nothing is left out.
fn write<const ROLES: usize>(text: &mut String, of: &str, weights: &Weights<ROLES>) {
    for (name, weights) in weights {
        let said: Vec<String> =
            weights[1..].iter().map(|weight| format!("{:.2}", weight - weights[0])).collect();
        if said.iter().any(|weight| !matches!(weight.as_str(), "0.00" | "-0.00")) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{of}\t{name}\t{}", said.join("\t"));
        }
    }
}
