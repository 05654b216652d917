//! Measures the reader of awards on decisions that were judged by hand, before the reader saw them.

use ingest::awards::{Decision, read_awards};
use serde::Deserialize;
use std::{collections::HashMap, fmt, fs, path::Path};
use tender_model::award::{Award, AwardDecision};

/// The least precision of each field.
const MIN_PRECISION: f64 = 0.95;
/// The least share of the awards that are found.
const MIN_RECALL: f64 = 0.8;

/// What a person read in a decision.
#[derive(Deserialize)]
struct TrueDecision {
    key: String,
    #[serde(default)]
    body: Option<String>,
    awards: Vec<TrueAward>,
}

#[derive(Deserialize)]
struct TrueAward {
    #[serde(default)]
    winners: Vec<String>,
    #[serde(default)]
    amounts: Vec<(f64, String)>,
    #[serde(default)]
    taxes: Option<String>,
}

/// How often a field was read, right, and there to be read.
#[derive(Default, Clone, Copy)]
struct FieldCount {
    read: u32,
    right: u32,
    present: u32,
}

impl FieldCount {
    fn add(&mut self, read: bool, right: bool, present: bool) {
        self.read += u32::from(read);
        self.right += u32::from(read && right);
        self.present += u32::from(present);
    }

    fn precision(self) -> f64 {
        f64::from(self.right) / f64::from(self.read.max(1))
    }

    fn recall(self) -> f64 {
        f64::from(self.right) / f64::from(self.present.max(1))
    }
}

impl fmt::Display for FieldCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { read, right, present } = self;
        write!(
            f,
            "precision {:.3} ({right} of {read}), recall {:.3} ({right} of {present})",
            self.precision(),
            self.recall()
        )
    }
}

#[derive(Default)]
struct Counts {
    winner: FieldCount,
    amount: FieldCount,
    taxes: FieldCount,
    body: FieldCount,
    whole: FieldCount,
    mistakes: Vec<String>,
}

/// Letters and digits only, without titles of address.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace("m/s", " ");
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn names<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut names: Vec<String> = names.map(|name| plain(name)).collect();
    names.sort();
    names
}

fn winners_are_right(read: &Award, truth: &TrueAward) -> bool {
    names(read.winners.iter().map(|winner| &winner.name)) == names(truth.winners.iter())
}

fn amounts_are_right(read: &Award, truth: &TrueAward) -> bool {
    let read: Vec<(f64, String)> =
        read.amounts.iter().map(|sum| (sum.amount.number(), sum.currency.to_string())).collect();
    read == truth.amounts
}

/// Whether everything that was read of an award is right.
fn is_right(read: &Award, truth: &TrueAward) -> bool {
    (read.winners.is_empty() || winners_are_right(read, truth))
        && (read.amounts.is_empty() || amounts_are_right(read, truth))
        && read.taxes.is_none_or(|taxes| Some(taxes.as_str()) == truth.taxes.as_deref())
}

impl Counts {
    fn add(&mut self, truth: &TrueDecision, read: Option<&AwardDecision>) {
        let body = read.and_then(|read| read.body.as_ref());
        let same_body = body.map(|body| plain(&body.name)) == truth.body.as_deref().map(plain);
        if !truth.awards.is_empty() || body.is_some() {
            self.body.add(body.is_some(), same_body, truth.body.is_some());
            if body.is_some() && !same_body {
                self.mistakes.push(format!("{}: body {:?}", truth.key, body.map(|body| &body.name)));
            }
        }
        let mut left: Vec<&TrueAward> = truth.awards.iter().collect();
        for award in read.map_or(&[][..], |read| &read.awards) {
            let best = left
                .iter()
                .enumerate()
                .max_by_key(|(index, truth)| {
                    let fields = [winners_are_right(award, truth), amounts_are_right(award, truth)];
                    (fields.iter().filter(|right| **right).count(), std::cmp::Reverse(*index))
                })
                .map(|(index, _)| index);
            let found = best.map(|index| left.remove(index));
            self.add_award(&truth.key, award, found);
        }
        for missed in left {
            self.winner.add(false, false, !missed.winners.is_empty());
            self.amount.add(false, false, !missed.amounts.is_empty());
            self.taxes.add(false, false, missed.taxes.is_some());
            self.whole.add(false, false, true);
        }
    }

    fn add_award(&mut self, key: &str, read: &Award, truth: Option<&TrueAward>) {
        let right = |test: fn(&Award, &TrueAward) -> bool| truth.is_some_and(|truth| test(read, truth));
        self.winner.add(
            !read.winners.is_empty(),
            right(winners_are_right),
            truth.is_some_and(|truth| !truth.winners.is_empty()),
        );
        self.amount.add(
            !read.amounts.is_empty(),
            right(amounts_are_right),
            truth.is_some_and(|truth| !truth.amounts.is_empty()),
        );
        let true_taxes = truth.and_then(|truth| truth.taxes.as_deref());
        self.taxes.add(
            read.taxes.is_some(),
            read.taxes.map(|taxes| taxes.as_str()) == true_taxes,
            true_taxes.is_some(),
        );
        self.whole.add(true, right(is_right), truth.is_some());
        if !right(is_right) {
            let winners: Vec<&String> = read.winners.iter().map(|winner| &winner.name).collect();
            let amounts: Vec<f64> = read.amounts.iter().map(|sum| sum.amount.number()).collect();
            self.mistakes.push(format!("{key}: {winners:?} {amounts:?}"));
        }
    }
}

fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The counts of a judged set.
fn measure(set: &str) -> Counts {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/awards");
    let decisions = fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
    let decisions: HashMap<String, Decision> = decisions
        .lines()
        .map(|line| Decision::parse(line.as_bytes()).unwrap())
        .map(|decision| (decision.key.clone(), decision))
        .collect();
    let truths: Vec<TrueDecision> = lines(&folder.join(format!("{set}.truth.jsonl")));
    assert_eq!((truths.len(), decisions.len()), (60, 60));
    let mut counts = Counts::default();
    for truth in &truths {
        let read = read_awards(&decisions[&truth.key]);
        if let Some(read) = &read {
            read.check().unwrap();
        }
        counts.add(truth, read.as_ref());
    }
    counts
}

/// Prints the figures with `--nocapture`.
#[test]
fn awards_are_read_with_precision() {
    for set in ["first", "judged"] {
        let counts = measure(set);
        let fields = [
            ("winner", counts.winner),
            ("amount and currency", counts.amount),
            ("taxes", counts.taxes),
            ("body", counts.body),
            ("whole award", counts.whole),
        ];
        for (name, count) in &fields {
            println!("{set}, {name}: {count}");
        }
        let mistakes = counts.mistakes.join("\n");
        println!("{mistakes}");
        for (name, count) in &fields {
            assert!(count.precision() >= MIN_PRECISION, "{set}, {name}: {count}\n{mistakes}");
        }
        assert!(counts.whole.recall() >= MIN_RECALL, "{set}, whole award: {}", counts.whole);
    }
}
