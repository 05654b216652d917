//! All printed amounts and percentages with their byte ranges. The rules in `amount_purposes`
//! decide their purpose.

use super::pattern::patterns;
use std::ops::Range;
use tender_model::vocabulary::{Amount, Currency};

/// A printed amount.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MoneyAmount {
    pub(crate) range: Range<usize>,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
}

patterns! {
    SUM = r"((?:Sri Lankan? )?Rupees?|Rs|LKR|SLR|US\s?\$|USD|EUR|€|GBP|£|JPY|\$|රුපියල්|රු|ரூபா|ரூ)\s?[.:,]?\s?[.:]?\s?(\d{1,3}(?:[,.]\s?\d{3})+(?:[.,]\s?\d{1,2}\b)?|\d+(?:\.\d{1,2}\b)?)\s?(?:/=|/-|=)?\s?(million|mn\b|mio\b|m\b|lakhs?|billion|bn\b|මිලියන|மில்லியன்)?";
    // `Bid Security (Rs.) : 100,000.00`: the currency is in the label.
    LABELLED = r"\((?:in\s)?(Rs|LKR|USD|EUR)\s?\.?\s?(million|mn|m)?\.?\)\s*[:\t\-]?\s*(\d{1,3}(?:[,.]\s?\d{3})+(?:\.\d{1,2})?|\d{3,}(?:\.\d{1,2})?)";
    BARE = r"^\s*(?:Rs|LKR)?\s?[.:]?\s?(\d{1,3}(?:[,.]\s?\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)\s?(?:/=|/-)?\s*$";
    MILLIONS = r"(\d+(?:\.\d+)?)\s?(?:million|mn\b)";
    PERCENT = r"(\d{1,2}(?:\.\d{1,2})?)\s?(?:%|per\s?cent|percent|සියයට|සதவீத)";
}

/// The amounts of a text in order.
pub(crate) fn amounts(text: &str) -> Vec<MoneyAmount> {
    let mut found: Vec<MoneyAmount> = Vec::new();
    for (pattern, (sign, number, unit)) in [(&SUM, (1, 2, 3)), (&LABELLED, (1, 3, 2))] {
        for groups in pattern.captures_iter(text) {
            let (Some(all), Some(sign), Some(number)) = (groups.get(0), groups.get(sign), groups.get(number))
            else {
                continue;
            };
            // `hours 500` is not an amount in rupees.
            let glued = text[..sign.start()].chars().next_back().is_some_and(char::is_alphabetic);
            let end = groups
                .get(unit)
                .filter(|unit| unit.start() > number.start())
                .map_or(number.end(), |unit| unit.end());
            let range = sign.start()..end.max(all.end().min(end));
            let taken =
                found.iter().any(|other| other.range.start < range.end && range.start < other.range.end);
            if let (Some(amount), false, false) =
                (parse_amount(number.as_str(), groups.get(unit).map(|m| m.as_str())), glued, taken)
            {
                found.push(MoneyAmount { range, amount, currency: parse_currency(sign.as_str()) });
            }
        }
    }
    found.sort_by_key(|sum| sum.range.start);
    found
}

/// Amounts in millions without a currency: `Expected annual cost 45.6 million`.
pub(crate) fn bare_millions(text: &str) -> Vec<MoneyAmount> {
    let sums = MILLIONS.captures_iter(text).filter_map(|groups| {
        let (all, number) = (groups.get(0)?, groups.get(1)?);
        let amount = parse_amount(number.as_str(), Some("million"))?;
        Some(MoneyAmount { range: all.range(), amount, currency: Currency::LKR })
    });
    sums.collect()
}

/// The amount in a table cell, if the cell has exactly one. `millions` says whether a number
/// without a currency is in millions.
pub(crate) fn amount_in_cell(text: &str, millions: bool) -> Option<Amount> {
    if let Some(number) = BARE.captures(text).and_then(|groups| groups.get(1)) {
        return parse_amount(number.as_str(), millions.then_some("million"));
    }
    // The cell may contain a currency and other words.
    match amounts(text).as_slice() {
        [sum] => Some(sum.amount),
        _ => None,
    }
}

/// The percentages of a text.
pub(crate) fn percentages(text: &str) -> Vec<(Range<usize>, f64)> {
    let found = PERCENT.captures_iter(text).filter_map(|groups| {
        let number: f64 = groups.get(1)?.as_str().parse().ok()?;
        Some((groups.get(0)?.range(), number))
    });
    found.filter(|(_, number)| *number > 0.0 && *number <= 100.0).collect()
}

fn parse_amount(number: &str, unit: Option<&str>) -> Option<Amount> {
    let factor = match unit.map(|unit| unit.to_lowercase()).as_deref() {
        None => 1.0,
        Some(unit) if unit.starts_with("lakh") => 1e5,
        Some("billion" | "bn") => 1e9,
        Some(_) => 1e6,
    };
    Amount::new((parse_number(number, factor > 1.0)? * factor * 100.0).round() / 100.0).ok()
}

/// Parses `12,500.00`, `12.500.00` (a misread comma) and `12,500`. With a unit, a single point or
/// comma is the decimal point.
fn parse_number(number: &str, with_unit: bool) -> Option<f64> {
    let number: String = number.chars().filter(|c| !c.is_whitespace()).collect();
    if with_unit && number.matches(['.', ',']).count() == 1 {
        return number.replace(',', ".").parse().ok();
    }
    let mut groups: Vec<&str> = number.split([',', '.']).collect();
    let cents = match groups.last() {
        Some(last) if groups.len() > 1 && last.len() < 3 => groups.pop(),
        _ => None,
    };
    format!("{}.{}", groups.concat(), cents.unwrap_or("0")).parse().ok()
}

fn parse_currency(sign: &str) -> Currency {
    let code = match sign.to_uppercase().replace(' ', "").as_str() {
        "US$" | "USD" | "$" => "USD",
        "EUR" | "€" => "EUR",
        "GBP" | "£" => "GBP",
        "JPY" => "JPY",
        _ => "LKR",
    };
    code.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Rs. 10,000.00 from", 10_000.0, "LKR")]
    #[case("Rs.5,000/- together", 5_000.0, "LKR")]
    #[case("LKR 8,000/=, valid", 8_000.0, "LKR")]
    #[case("Rs. 27.9 Million", 27_900_000.0, "LKR")]
    #[case("Rs 3.5 million", 3_500_000.0, "LKR")]
    #[case("Rs. 12.500.00 only", 12_500.0, "LKR")]
    #[case("EUR 177.8 million", 177_800_000.0, "EUR")]
    #[case("US$ 1,500", 1_500.0, "USD")]
    #[case("රු. 3,500.00 ක", 3_500.0, "LKR")]
    #[case("ரூபா 150,000.00 சமர்", 150_000.0, "LKR")]
    #[case("Bid Security (Rs.)\t75,000.00", 75_000.0, "LKR")]
    #[case("Rs. 3 lakhs", 300_000.0, "LKR")]
    #[case("a bid security of Sri Lankan Rupees 60,000.00, in force", 60_000.0, "LKR")]
    fn an_amount_is_read(#[case] text: &str, #[case] amount: f64, #[case] currency: &str) {
        let found = amounts(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].amount.number(), found[0].currency.as_str()), (amount, currency));
    }

    #[test]
    fn other_numbers_are_not_amounts() {
        assert_eq!(amounts("within 24 hrs 500 metres; Tel. 011-2203535; Nos. 12,000"), []);
        assert_eq!(amounts("Rs. 99999999999999999999999"), []);
        assert_eq!(percentages("equivalent to 1% of the total"), [(14..16, 1.0)]);
    }
}
