//! Which past awards a tender is like, and the spread of their amounts.

use crate::{
    likeness::{is_same_organization, text_similarity},
    tender::Tender,
    text::Words,
    vocabulary::{Amount, Currency, Day},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// A spread says something only about at least this many awards.
pub const MIN_SPREAD: usize = 3;
/// The minimum likeness of an award that is shown beside a tender.
pub const MIN_LIKENESS: f64 = 0.3;

/// Titles that are at least as similar are the same, if the body is the same too.
const SAME_TITLE: f64 = 0.9;
/// How much the same body adds to the likeness.
const SAME_BODY: f64 = 0.1;
/// Titles share at least this many words that say what is bought.
const MIN_SHARED_WORDS: usize = 2;
/// A cabinet decides on an award at most this many days after the bids have closed.
const MAX_DAYS_TO_AWARD: i64 = 2 * 366;
const MIN_WORD_CHARS: usize = 3;

/// Words of procurement, which say nothing about what is bought.
const GENERIC_WORDS: [&str; 58] = [
    "above",
    "and",
    "annual",
    "approval",
    "award",
    "awarding",
    "bid",
    "bidding",
    "bids",
    "cabinet",
    "contract",
    "contracts",
    "delivery",
    "during",
    "for",
    "from",
    "implementation",
    "including",
    "into",
    "invitation",
    "its",
    "lanka",
    "lot",
    "ministry",
    "national",
    "new",
    "nos",
    "number",
    "obtaining",
    "one",
    "package",
    "period",
    "phase",
    "procurement",
    "procuring",
    "project",
    "proposal",
    "proposed",
    "provision",
    "purchase",
    "purchasing",
    "ref",
    "relevant",
    "required",
    "selection",
    "service",
    "services",
    "sri",
    "stage",
    "supply",
    "supplying",
    "tender",
    "the",
    "under",
    "with",
    "work",
    "works",
    "year",
];

/// What is compared of an award.
#[derive(Debug, Clone)]
pub struct ComparedAward<'a> {
    /// What was bought.
    pub title: &'a str,
    /// The body that awarded.
    pub body: Option<&'a str>,
    /// The day of the decision.
    pub decided_on: Day,
    /// Whether a reference of the decision is that of the tender.
    pub has_same_reference: bool,
}

/// How an award relates to a tender.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AwardRelation {
    /// The award is the outcome of the tender.
    Outcome,
    /// The award is about something alike. The likeness is above [`MIN_LIKENESS`].
    Alike(f64),
    /// The award is about something else.
    Other,
}

/// The words of a title that say what is bought.
#[must_use]
pub fn significant_words(title: &str) -> BTreeSet<String> {
    let is_significant = |word: &&str| {
        word.chars().count() >= MIN_WORD_CHARS
            && word.chars().any(char::is_alphabetic)
            && GENERIC_WORDS.binary_search(word).is_err()
    };
    Words::of(title).iter().filter(is_significant).map(str::to_owned).collect()
}

/// How an award relates to a tender.
#[must_use]
pub fn relate(tender: &Tender, award: &ComparedAward<'_>) -> AwardRelation {
    let is_later = follows(tender, award.decided_on);
    let same_body =
        award.body.is_some_and(|body| is_same_organization(&tender.organization.name, body) == Some(true));
    let same_title = || same_body && text_similarity(&tender.title, award.title) >= SAME_TITLE;
    if is_later && (award.has_same_reference || same_title()) {
        return AwardRelation::Outcome;
    }
    let (one, other) = (significant_words(&tender.title), significant_words(award.title));
    let shared = one.intersection(&other).count();
    if shared < MIN_SHARED_WORDS {
        return AwardRelation::Other;
    }
    let likeness = shared as f64 / ((one.len() * other.len()) as f64).sqrt();
    let likeness = likeness + if same_body { SAME_BODY } else { 0.0 };
    if likeness < MIN_LIKENESS { AwardRelation::Other } else { AwardRelation::Alike(likeness.min(1.0)) }
}

/// Whether a decision can be about the bids of a tender.
fn follows(tender: &Tender, decided_on: Day) -> bool {
    let begun = tender.dates.closing.or(tender.dates.published).map(|moment| moment.day());
    begun.is_some_and(|begun| {
        let days = decided_on.since(begun).map_or(-1, |span| i64::from(span.get_days()));
        (0..=MAX_DAYS_TO_AWARD).contains(&days)
    })
}

/// The spread of amounts in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountSpread {
    /// The currency.
    pub currency: Currency,
    /// The number of awards.
    pub count: u32,
    /// The smallest amount.
    pub min: Amount,
    /// A quarter of the amounts is at most this.
    pub lower_quartile: Amount,
    /// Half of the amounts is at most this.
    pub median: Amount,
    /// Three quarters of the amounts are at most this.
    pub upper_quartile: Amount,
    /// The largest amount.
    pub max: Amount,
}

/// The spread of the amounts of each currency that has at least [`MIN_SPREAD`] of them.
#[must_use]
pub fn spreads(amounts: impl IntoIterator<Item = (Currency, Amount)>) -> Vec<AmountSpread> {
    let mut by_currency: BTreeMap<Currency, Vec<i64>> = BTreeMap::new();
    for (currency, amount) in amounts {
        by_currency.entry(currency).or_default().push(amount.minor());
    }
    let mut spreads: Vec<AmountSpread> = by_currency
        .into_iter()
        .filter(|(_, amounts)| amounts.len() >= MIN_SPREAD)
        .map(|(currency, mut amounts)| {
            amounts.sort_unstable();
            let at = |quarters: i64| Amount::from_minor(quantile(&amounts, quarters));
            AmountSpread {
                currency,
                count: u32::try_from(amounts.len()).unwrap_or(u32::MAX),
                min: at(0),
                lower_quartile: at(1),
                median: at(2),
                upper_quartile: at(3),
                max: at(4),
            }
        })
        .collect();
    spreads.sort_by_key(|spread| std::cmp::Reverse(spread.count));
    spreads
}

/// A quartile of sorted values, interpolated between the two nearest values.
fn quantile(sorted: &[i64], quarters: i64) -> i64 {
    let last = i64::try_from(sorted.len()).unwrap_or(i64::MAX) - 1;
    let position = last * quarters;
    let index = usize::try_from(position / 4).unwrap_or(0);
    let low = sorted[index];
    let high = sorted.get(index + 1).copied().unwrap_or(low);
    let share = i128::from(high - low) * i128::from(position % 4);
    low + i64::try_from((share + 2) / 4).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tender(title: &str, organization: &str) -> Tender {
        let mut tender = Tender { title: title.to_owned(), ..Tender::default() };
        tender.organization.name = organization.to_owned();
        tender.dates.closing = "2018-01-10T14:00:00+05:30".parse().ok();
        tender
    }

    fn award<'a>(title: &'a str, body: &'a str) -> ComparedAward<'a> {
        ComparedAward {
            title,
            body: Some(body),
            decided_on: "2018-05-02".parse().unwrap(),
            has_same_reference: false,
        }
    }

    #[test]
    fn the_generic_words_are_sorted() {
        assert!(GENERIC_WORDS.is_sorted());
    }

    #[test]
    fn an_award_is_alike_if_it_buys_the_same_thing() {
        let tender = tender("Supply of human albumin solution 50 ml vials", "Ministry of Health");
        let alike = relate(
            &tender,
            &award("Supply of 120,000 Bottles of Human Albumin Solution", "Ministry of Health"),
        );
        assert!(matches!(alike, AwardRelation::Alike(likeness) if likeness > 0.6), "{alike:?}");
        let other = relate(&tender, &award("Supply of 10,000 rails under the project", "Ministry of Health"));
        assert_eq!(other, AwardRelation::Other);
    }

    #[test]
    fn a_reference_or_the_same_title_of_the_same_body_is_the_outcome() {
        let tender = tender("Construction of the Nadukuda bridge", "Ministry of Roads");
        let mut by_reference = award("Bridge at another place", "Ministry of Finance");
        by_reference.has_same_reference = true;
        assert_eq!(relate(&tender, &by_reference), AwardRelation::Outcome);
        let title = "Construction of the Nadukuda Bridge";
        assert_eq!(relate(&tender, &award(title, "Ministry of Roads")), AwardRelation::Outcome);
        assert!(matches!(relate(&tender, &award(title, "Ministry of Finance")), AwardRelation::Alike(_)));
        // A decision before the bids closed is about earlier bids.
        by_reference.decided_on = "2017-12-01".parse().unwrap();
        assert_eq!(relate(&tender, &by_reference), AwardRelation::Other);
    }

    #[test]
    fn a_spread_needs_three_amounts_of_a_currency() {
        let amount = |units: i64| Amount::from_minor(units * 100);
        let usd: Currency = "USD".parse().unwrap();
        let rupees = [40, 10, 20, 30].map(|units| (Currency::LKR, amount(units)));
        let spreads = spreads(rupees.into_iter().chain([(usd, amount(1)), (usd, amount(2))]));
        let [spread] = spreads.as_slice() else { panic!("{spreads:?}") };
        assert_eq!((spread.currency, spread.count), (Currency::LKR, 4));
        assert_eq!((spread.min, spread.max), (amount(10), amount(40)));
        let quartiles = [spread.lower_quartile, spread.median, spread.upper_quartile];
        assert_eq!(quartiles.map(Amount::number), [17.5, 25.0, 32.5]);
    }

    #[test]
    fn large_amounts_do_not_overflow() {
        let largest = Amount::new(9e13).unwrap();
        let spread =
            spreads([0_i64, 5, 0].map(|extra| (Currency::LKR, Amount::from_minor(largest.minor() - extra))));
        assert_eq!(spread[0].max, largest);
    }
}
