//! The printed amounts as candidates for the bid security and the document fee.

use super::context::context_features;
use crate::extract::{
    printed::Printed,
    rules::{
        amount_purposes::is_in_lot_row,
        dates::dates,
        lots::LotRow,
        money::{MoneyAmount, amounts},
        pattern::patterns,
    },
};
use std::ops::Range;
use tender_model::vocabulary::{Amount, Currency};

/// A printed amount.
#[derive(Debug, Clone, PartialEq)]
pub struct AmountCandidate {
    /// The amount.
    pub amount: Amount,
    /// The currency; rupees if none is printed.
    pub currency: Currency,
    /// The byte range of the amount.
    pub range: Range<usize>,
    /// The features for the classifier.
    pub features: Vec<String>,
}

patterns! {
    BARE = r"(\d{1,3}(?:,\d{3})+\.\d\d)|(\d{1,3}(?:,\d{3})+|\d{3,}(?:\.\d\d)?)\s?/[=-]|(\d{3,7}\.00)";
}

/// The smallest amount without a currency that is a candidate.
const MIN_WITHOUT_CURRENCY: f64 = 200.0;
/// An amount has the feature `dwarfed` if another amount is at least this many times as large.
/// Fees are usually dwarfed.
const DWARFED_FACTOR: f64 = 20.0;
/// An amount has the feature `dwarfs` if it is at least this many times as large as another
/// amount. Securities usually dwarf fees.
const DWARFING_FACTOR: f64 = 8.0;
/// The value of the work divided by its bid security is usually in this range.
const VALUE_RATIO: std::ops::RangeInclusive<f64> = 30.0..=200.0;

/// The amounts of a notice in order, without the amounts in rows of lots.
#[must_use]
pub fn amount_candidates(printed: &Printed) -> Vec<AmountCandidate> {
    candidates_outside_rows(printed, &crate::extract::rules::lots::read_rows(printed))
}

/// The amounts outside the rows of lots, in order.
pub(crate) fn candidates_outside_rows(printed: &Printed, rows: &[LotRow]) -> Vec<AmountCandidate> {
    let text = printed.flow();
    let mut found = amounts(text);
    let of_money: Vec<f64> = found.iter().map(|sum| sum.amount.number()).collect();
    found.extend(amounts_without_currency(text, &found));
    found.retain(|sum| !is_in_lot_row(rows, &sum.range));
    found.sort_by_key(|sum| sum.range.start);
    let all: Vec<f64> = found.iter().map(|sum| sum.amount.number()).collect();
    let others = if of_money.is_empty() { all } else { of_money };
    let amount_candidates = found.iter().enumerate().map(|(nth, sum)| {
        let last_end = nth.checked_sub(1).and_then(|last| found.get(last)).map_or(0, |last| last.range.end);
        let next_start = found.get(nth + 1).map_or(text.len(), |next| next.range.start);
        let mut features = context_features(printed, &sum.range, last_end, next_start);
        features.extend(relation_features(sum.amount.number(), &others));
        AmountCandidate { amount: sum.amount, currency: sum.currency, range: sum.range.clone(), features }
    });
    amount_candidates.collect()
}

/// Numbers written like amounts, with cents or a trailing `/-` or `/=`, but without a currency.
fn amounts_without_currency(text: &str, sums: &[MoneyAmount]) -> Vec<MoneyAmount> {
    let is_apart =
        |range: &Range<usize>, other: &Range<usize>| other.end <= range.start || range.end <= other.start;
    let found = BARE.captures_iter(text).filter_map(|groups| {
        let range = groups.get(0)?.range();
        let number = (1..=3).find_map(|nth| groups.get(nth))?;
        let amount: f64 = number.as_str().replace(',', "").parse().ok()?;
        let is_free = sums.iter().all(|sum| is_apart(&range, &sum.range));
        let is_part = text[..range.start].ends_with(|c: char| c.is_alphanumeric() || "/.,-_".contains(c))
            || text[number.end()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            || text[range.end..].starts_with(|c: char| c.is_ascii_digit());
        let amount =
            Amount::new(amount).ok().filter(|_| is_free && !is_part && amount >= MIN_WITHOUT_CURRENCY)?;
        Some(MoneyAmount { range, amount, currency: Currency::LKR })
    });
    let mut found: Vec<MoneyAmount> = found.collect();
    if !found.is_empty() {
        let days = dates(text);
        found.retain(|sum| days.iter().all(|day| is_apart(&sum.range, &day.with_time)));
    }
    found
}

/// Features that compare the amount with the other amounts.
fn relation_features(amount: f64, others: &[f64]) -> Vec<String> {
    let (least, most) =
        others.iter().fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(*x), most.max(*x)));
    let is_one_of_some = least < most;
    let features = [
        ("most", is_one_of_some && amount >= most),
        ("least", is_one_of_some && amount <= least),
        ("dwarfed", others.iter().any(|other| *other >= DWARFED_FACTOR * amount)),
        ("dwarfs", others.iter().any(|other| amount >= DWARFING_FACTOR * other)),
        ("part of a value", others.iter().any(|other| VALUE_RATIO.contains(&(other / amount)))),
    ];
    features.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()).collect()
}
