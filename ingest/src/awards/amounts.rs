//! The amount of an award. A rate, a loan, an estimate or a provision is not one.

use crate::extract::rules::pattern::patterns;
use std::ops::Range;
use tender_model::{
    award::{AwardAmount, Taxes},
    vocabulary::{Amount, Currency},
};

patterns! {
    SUM = r"((?:Sri\s+Lankan?\s+)?(?:Rupees|Rs)|LKR|SLR|US\s*\$|USD|U\.S\.\s*\$|US\s+Dollars?|United\s+States\s+Dollars?(?:\s*\(USD\))?|Euros?|EUR|€|GBP|£|JPY|Japanese\s+Yen|Yen|¥|INR|Indian\s+(?:Rupees|Rs)|AUD|CHF|SEK|CNY|RMB)\s*[.:,]?\s*[.:]?\s*(\d+(?:\s?,\s?\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(?:/=|/-|=)?\s*(million|mn|mio|billion|bn|lakhs?|m)?\b";
    // What stands before the amount of an award.
    CUE = r"(?:\b(?:sum|cost|price|amount|value|consideration|figure|total|component)\b(?:\s*\([^)]{0,30}\))?(?:\s+(?:of|at|amounting\s+to|being|is))?(?:\s+(?:approximately|around|about|only))?|\b(?:amounting\s+to|totall?ing|for|at))\s*[:,]?\s*$|\s[-–]\s*$";
    NO_CUE = r"\b(?:loans?|credit|funding|fund|treasury|provid\w+|rates?|premium|increas\w+|revis\w+|exchange|instead\s+of|reduc\w+|from)\b[^,;]{0,45}$|\b(?:limit|each|unit|grant|allocat\w+|estimate[ds]?|provision|security|advance|per|addition\w*|discount|savings?|annual|monthly|investment)\b[^,;]{0,20}$";
    PER_UNIT = r"^\s*(?:/=|/-|=)?\s*(?:\([^)]*\)\s*)?(?:per|each|for\s+each|an?\s+(?:unit|month|year)|/\s?(?:unit|kwh|mt|barrel)|monthly|annually|for\s+one|for\s+a\s+(?:unit|barrel))\b";
    // Between an amount and its equivalent: `US $1,199,220.00 (LKR 131,644,013.60)`.
    EQUIVALENT = r"^[^()]{0,40}\(\s*(?:equivalent\s+to|approximately|approx\.?|about|around|i\.e\.?|equal\s+to|or)?\s*$";
    JOINED = r"^\s*(?:\([^)]*\)\s*)?(?:,\s*)?(?:\band\b|\bplus\b|\+|&)\s*(?:(?:an?|the|local|foreign|rupee|total|sum|cost|amount|amounting|component|of|to|currency)\s+)*$";
    RESPECTIVELY = r"^[^.;]{0,60}\brespectively\b";
    WITHOUT_TAXES = r"^[^.;,]{0,30}[,(]?\s*\b(?:excluding|exclusive\s+of|without|net\s+of|plus)\s+(?:\w+\s+){0,3}?(?:VAT|tax(?:es)?|GST|SSCL)\b|^\s*\(?\s*\+\s*(?:VAT|tax)";
    WITH_TAXES = r"^[^.;,]{0,30}[,(]?\s*\b(?:including|inclusive\s+of|with)\s+(?:\w+\s+){0,3}?(?:VAT|tax(?:es)?|GST|SSCL)\b";
    LONGER_CURRENCY = r"(?:\p{L}|\bIndian\s+|\bPakistani?\s+)$";
}

/// How far before an amount the words that explain it stand, in bytes.
const CUE_BYTES: usize = 90;
/// The Cabinet decides on no smaller contract. A smaller number lacks its unit, or is a rate.
const MIN_AMOUNT: f64 = 10_000.0;
/// How far after an amount taxes are mentioned, in bytes.
const TAX_BYTES: usize = 110;

/// An amount of the text.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    range: Range<usize>,
    amount: Amount,
    currency: Currency,
}

/// The amount of an award: one sum, or two in different currencies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AwardedAmount {
    sums: Vec<Sum>,
    taxes: Option<Taxes>,
}

/// What a part of the text says about an amount.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AmountReading {
    /// It states no amount of an award.
    Absent,
    /// It states several, so that none is certain.
    Several,
    /// It states one.
    One(AwardedAmount),
}

impl AwardedAmount {
    /// The amounts with their words, and whether they contain taxes.
    pub(super) fn into_award(self, text: &str) -> (Vec<AwardAmount>, Option<Taxes>) {
        let amount = |sum: Sum| AwardAmount {
            amount: sum.amount,
            currency: sum.currency,
            passage: super::passage(text, &sum.range),
        };
        (self.sums.into_iter().map(amount).collect(), self.taxes)
    }
}

/// Reads the amount in a part of the text.
pub(super) fn read(text: &str, part: Range<usize>) -> AmountReading {
    let sums = sums(text, part.clone());
    let mut awarded: Vec<Sum> = Vec::new();
    let mut is_uncertain = false;
    for (index, sum) in sums.iter().enumerate() {
        let previous = index.checked_sub(1).map(|index| &sums[index]);
        let between = previous.map_or("", |previous| &text[previous.range.end..sum.range.start]);
        if previous.is_some() && EQUIVALENT.is_match(between) {
            continue;
        }
        let before =
            &text[floor(text, sum.range.start.saturating_sub(CUE_BYTES)).max(part.start)..sum.range.start];
        let after = &text[sum.range.end..part.end];
        let follows = previous.is_some() && previous == awarded.last() && JOINED.is_match(between);
        let is_announced = follows || (CUE.is_match(before) && !NO_CUE.is_match(before));
        if PER_UNIT.is_match(after) || (is_announced && sum.amount.number() < MIN_AMOUNT) {
            is_uncertain = true;
        } else if is_announced {
            let is_second_currency =
                follows && awarded.len() == 1 && awarded.iter().all(|one| one.currency != sum.currency);
            is_uncertain |= !awarded.is_empty() && !is_second_currency;
            awarded.push(sum.clone());
        }
    }
    let Some(last) = awarded.last() else {
        return if is_uncertain { AmountReading::Several } else { AmountReading::Absent };
    };
    let after =
        &text[last.range.end..floor(text, (last.range.end + TAX_BYTES).min(part.end)).max(last.range.end)];
    if is_uncertain || RESPECTIVELY.is_match(after) {
        return AmountReading::Several;
    }
    let taxes = if WITHOUT_TAXES.is_match(after) {
        Some(Taxes::Excluded)
    } else {
        WITH_TAXES.is_match(after).then_some(Taxes::Included)
    };
    AmountReading::One(AwardedAmount { sums: awarded, taxes })
}

/// All sums in a part of the text.
fn sums(text: &str, part: Range<usize>) -> Vec<Sum> {
    let found = SUM.captures_iter(&text[part.clone()]).filter_map(|groups| {
        let (all, sign, number) = (groups.get(0)?, groups.get(1)?, groups.get(2)?);
        let start = part.start + all.start();
        if LONGER_CURRENCY.is_match(&text[part.start..start]) {
            return None;
        }
        let amount = amount(number.as_str(), groups.get(3).map(|unit| unit.as_str()))?;
        let end = part.start + groups.get(3).map_or(number.end(), |unit| unit.end());
        Some(Sum { range: start..end, amount, currency: currency(sign.as_str())? })
    });
    found.collect()
}

/// An amount. Unlike in newspapers, a comma always separates thousands: `1,115 million`.
fn amount(number: &str, unit: Option<&str>) -> Option<Amount> {
    let number: f64 =
        number.chars().filter(|c| !c.is_whitespace() && *c != ',').collect::<String>().parse().ok()?;
    let factor = match unit.map(str::to_lowercase).as_deref() {
        None => 1.0,
        Some(unit) if unit.starts_with("lakh") => 1e5,
        Some("billion" | "bn") => 1e9,
        Some(_) => 1e6,
    };
    Amount::new((number * factor * 100.0).round() / 100.0).ok().filter(|amount| amount.minor() > 0)
}

/// The currency of a sign. `None` if it is not known.
fn currency(sign: &str) -> Option<Currency> {
    let sign = super::plain(sign).to_lowercase();
    let code = match sign.replace([' ', '.'], "").as_str() {
        "rs" | "lkr" | "slr" | "rupees" => "LKR",
        "us$" | "usd" => "USD",
        "euro" | "euros" | "eur" | "€" => "EUR",
        "gbp" | "£" => "GBP",
        "jpy" | "yen" | "japaneseyen" | "¥" => "JPY",
        "cny" | "rmb" => "CNY",
        "inr" => "INR",
        sign if sign.starts_with("indian") => "INR",
        sign if sign.starts_with("srilanka") => "LKR",
        sign if sign.contains("dollar") => "USD",
        "aud" => "AUD",
        "chf" => "CHF",
        "sek" => "SEK",
        _ => return None,
    };
    code.parse().ok()
}

/// The last character boundary at or before a position.
fn floor(text: &str, at: usize) -> usize {
    crate::extract::rules::cues::floor_char_boundary(text, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn amounts(text: &str) -> (Vec<(f64, String)>, Option<Taxes>) {
        match read(text, 0..text.len()) {
            AmountReading::One(read) => {
                let (amounts, taxes) = read.into_award(text);
                (amounts.iter().map(|sum| (sum.amount.number(), sum.currency.to_string())).collect(), taxes)
            }
            _ => (Vec::new(), None),
        }
    }

    #[rstest]
    #[case("the contract for a sum of Rs.1,898.7 million, as recommended", 1_898_700_000.0, "LKR", None)]
    #[case("for a total cost of US $1,199,220.00 (LKR131,644,013.60), was", 1_199_220.0, "USD", None)]
    #[case("at a cost of Rs.1,328,457, 615.43, as", 1_328_457_615.43, "LKR", None)]
    #[case("for a sum of Rs.1,115 million, as", 1_115_000_000.0, "LKR", None)]
    #[case("at a total price of US$ 1000,000.00 (LKR 112,689,680.00).", 1e6, "USD", None)]
    #[case("the contract for a building - Rs.430.1 million", 430_100_000.0, "LKR", None)]
    #[case("of Albumin PH EUR, 20% in bottles, for US$ 2.82 million as", 2_820_000.0, "USD", None)]
    #[case("for a sum of Euro 46.21 million, on", 46_210_000.0, "EUR", None)]
    #[case(
        "at the contract price of Rs. 844,907,205.00, excluding VAT, was",
        844_907_205.0,
        "LKR",
        Some(Taxes::Excluded)
    )]
    #[case(
        "for a sum of Rs.94.23 million inclusive of all taxes, was",
        94_230_000.0,
        "LKR",
        Some(Taxes::Included)
    )]
    #[case("to a sum of Rs.245.62 million (Excluding VAT), as", 245_620_000.0, "LKR", Some(Taxes::Excluded))]
    #[case("at the total amount of USD 3,243,600, was", 3_243_600.0, "USD", None)]
    fn an_amount_is_read(
        #[case] text: &str,
        #[case] amount: f64,
        #[case] currency: &str,
        #[case] taxes: Option<Taxes>,
    ) {
        assert_eq!(amounts(text), (vec![(amount, currency.to_owned())], taxes));
    }

    #[test]
    fn an_amount_may_be_in_two_currencies() {
        let expected = vec![(557_454.51, "USD".to_owned()), (281_844_055.48, "LKR".to_owned())];
        assert_eq!(
            amounts("for a total bid price of US $557,454.51 plus LKR 281,844,055.48, was").0,
            expected
        );
        assert_eq!(
            amounts(
                "for a total foreign component of US $919,437 and local component of Rs.14,405,000.00, as"
            )
            .0
            .len(),
            2
        );
    }

    #[rstest]
    #[case("at the rate of US$ 60.71 per MT, as")]
    #[case("at a cost of Rs. 3.24 million per each under")]
    #[case("utilizing the loan of US$ 166.6 million")]
    #[case("for a sum of Rs.18,567,094.32 and Rs.39,473,349.60 respectively, was")]
    #[case("at an estimated cost of Rs.3,254 Million, was")]
    #[case("for a premium value of US$ 1.69 per crude oil barrel")]
    #[case("for a sum of Indian Rupees")]
    #[case("for INRs 500")]
    #[case("at a cost of Rs.466.66 (valued without VAT) million")]
    #[case("subject to a cost of Rs.1,280,000/- per housing unit")]
    fn another_amount_is_left_out(#[case] text: &str) {
        assert_eq!(amounts(text), (Vec::new(), None));
    }
}
