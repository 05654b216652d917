//! Grounding: searches the text of a notice for a value that a language model claims. Words are
//! returned as printed. This module does not check whether a value has the claimed purpose.

use super::{
    Gazetteer,
    printed::{Found, Printed},
    rules::{
        contact,
        dates::{PrintedDate, dates},
        money, organization,
    },
};
use jiff::civil::Time;
use std::ops::Range;
use tender_model::{
    text::Words,
    vocabulary::{Amount, Currency, Day, OrganizationType},
};

/// A number without a currency in a table cell must be at least this large to be an amount.
/// Smaller numbers may be row numbers.
const MIN_BARE_AMOUNT: f64 = 100.0;

/// Finds the claimed words, printed one after the other. Case and punctuation are ignored.
pub(crate) fn find_words(printed: &Printed, claimed: &str) -> Option<Found<String>> {
    let text = printed.flow();
    let (printed_words, sought) = (Words::of(text), Words::of(claimed));
    if sought.is_empty() {
        return None;
    }
    let (joined, sought) = (printed_words.as_str(), sought.as_str());
    let start = joined.match_indices(sought).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&joined[..at], &joined[at + sought.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })?;
    let range = printed_words.origin(text, start..start + sought.len());
    let range = extend_by_punctuation(text, range, claimed);
    Some(found_at(text, range))
}

/// Extends the range by the punctuation around it that the claimed text also has, as in `(Pvt)`
/// and `Ltd.`.
fn extend_by_punctuation(text: &str, range: Range<usize>, claimed: &str) -> Range<usize> {
    let is_sign = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    let leading: Vec<char> = claimed.chars().take_while(is_sign).collect();
    let trailing: Vec<char> = claimed.chars().rev().take_while(is_sign).collect();
    let before = text[..range.start].chars().rev().zip(leading.into_iter().rev());
    let after = text[range.end..].chars().zip(trailing.into_iter().rev());
    let length = |(c, _): (char, char)| c.len_utf8();
    let more_before: usize = before.take_while(|(a, b)| a == b).map(length).sum();
    let more_after: usize = after.take_while(|(a, b)| a == b).map(length).sum();
    range.start - more_before..range.end + more_after
}

/// Finds where `day` is printed in the text, and the time beside it. If the day is printed several
/// times, the date with the claimed time is preferred, or else a date with another time.
pub(crate) fn find_moment(
    printed: &Printed,
    day: Day,
    time: Option<Time>,
) -> Option<Found<(Day, Option<Time>)>> {
    let all = dates(printed.flow());
    let of_day = || all.iter().filter(|dated| dated.day == day);
    let with_hour = || of_day().find(|dated| dated.time.is_some());
    let dated: &PrintedDate = of_day()
        .find(|dated| dated.time.is_some() && dated.time == time)
        .or_else(with_hour)
        .or_else(|| of_day().next())?;
    Some(Found::new((day, dated.time), 1.0, dated.with_time.clone()))
}

/// Finds an amount in a currency. A number without a currency counts as rupees if it is in
/// millions or alone in a table cell.
pub(crate) fn find_amount(printed: &Printed, amount: Amount, currency: Currency) -> Option<Found<Amount>> {
    let text = printed.flow();
    let sums = money::amounts(text).into_iter().chain(money::bare_millions(text));
    let mut ranges = sums.filter(|sum| sum.amount == amount && sum.currency == currency).map(|sum| sum.range);
    let range = ranges.next().or_else(|| {
        let is_bare = currency == Currency::LKR && amount.number() >= MIN_BARE_AMOUNT;
        is_bare
            .then(|| cells(printed).find(|(_, cell)| money::amount_in_cell(cell, false) == Some(amount)))?
            .map(|cell| cell.0)
    })?;
    Some(Found::new(amount, 1.0, range))
}

/// The cells of all lines with their byte ranges.
fn cells(printed: &Printed) -> impl Iterator<Item = (Range<usize>, &str)> {
    printed.lines().flat_map(|(line, text)| {
        let mut at = line.start;
        text.split('\t').map(move |cell| {
            let range = at..at + cell.len();
            at = range.end + 1;
            (range, cell)
        })
    })
}

pub(crate) fn find_percentage(printed: &Printed, percentage: f64) -> Option<Found<f64>> {
    let all = money::percentages(printed.flow());
    let (range, value) = all.into_iter().find(|(_, printed)| (printed - percentage).abs() < 1e-9)?;
    Some(Found::new(value, 1.0, range))
}

/// Finds an e-mail address, ignoring case.
pub(crate) fn find_email(printed: &Printed, claimed: &str) -> Option<Found<String>> {
    contact::emails(printed).find(|found| found.value.eq_ignore_ascii_case(claimed.trim()))
}

/// Finds a telephone number with the same digits, with or without the country code.
pub(crate) fn find_phone(printed: &Printed, claimed: &str) -> Option<Found<String>> {
    let sought = national_number(claimed);
    contact::phones(printed).find(|found| national_number(&found.value) == sought)
}

/// The digits of a number as dialled within the country.
pub(crate) fn national_number(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    match digits.strip_prefix("94") {
        Some(rest) if rest.len() >= 9 => format!("0{}", rest.trim_start_matches('0')),
        _ => digits,
    }
}

/// The type of an organisation, derived from its name and the gazetteer.
pub(crate) fn organization_kind(name: &str, gazetteer: &Gazetteer) -> Option<OrganizationType> {
    organization::organization_type(name, gazetteer)
}

fn found_at(text: &str, range: Range<usize>) -> Found<String> {
    let value = text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    Found::new(value, 1.0, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const NOTICE: &str = "ROAD DEVELOPMENT\nAUTHORITY (RDA)\n\nSupply of A4 paper to Abans (Pvt) Ltd.\n\nTender No: RDA/P-12/2027. \
         Bids close at 2.30 p.m. on 5th May 2027; documents from 01.04.2027. Security Rs. 75,000.00, or 2% of the bid.\n\n\
         Lot | Fee\n1 | 2,500.00\n\nTel: +94 11 223 6588, e-mail: Bids@rda.gov.lk";

    #[rstest]
    #[case("Road Development Authority", Some("ROAD DEVELOPMENT AUTHORITY"))]
    #[case("Road Development Authority (RDA)", Some("ROAD DEVELOPMENT AUTHORITY (RDA)"))]
    #[case("abans (pvt) ltd.", Some("Abans (Pvt) Ltd."))]
    #[case("rda/p-12 / 2027", Some("RDA/P-12/2027"))]
    #[case("RDA P 1", None)]
    #[case("Road Development", Some("ROAD DEVELOPMENT"))]
    #[case("Urban Development Authority", None)]
    #[case("oad Development", None)]
    #[case(" — ", None)]
    #[case("", None)]
    fn words_are_found_in_their_order(#[case] claimed: &str, #[case] expected: Option<&str>) {
        let found = find_words(&Printed::plain(NOTICE), claimed);
        assert_eq!(found.map(|found| found.value).as_deref(), expected);
    }

    #[rstest]
    #[case("2027-05-05", Some("14:30"), Some(Some("14:30")))]
    #[case("2027-05-05", Some("09:00"), Some(Some("14:30")))]
    #[case("2027-05-05", None, Some(Some("14:30")))]
    #[case("2027-04-01", Some("10:00"), Some(None))]
    #[case("2027-05-06", None, None)]
    fn a_day_is_found_with_its_printed_time(
        #[case] day: &str,
        #[case] time: Option<&str>,
        #[case] expected: Option<Option<&str>>,
    ) {
        let found = find_moment(
            &Printed::plain(NOTICE),
            day.parse().unwrap(),
            time.map(|time| time.parse().unwrap()),
        );
        let expected = expected.map(|time| time.map(|time| time.parse().unwrap()));
        assert_eq!(found.map(|found| found.value.1), expected);
    }

    #[rstest]
    #[case(75_000.0, "LKR", true)]
    #[case(75_000.0, "USD", false)]
    #[case(2_500.0, "LKR", true)]
    #[case(1.0, "LKR", false)]
    #[case(75_001.0, "LKR", false)]
    fn an_amount_must_be_printed(#[case] number: f64, #[case] currency: &str, #[case] expected: bool) {
        let printed = Printed::plain(NOTICE);
        let found = find_amount(&printed, Amount::new(number).unwrap(), currency.parse().unwrap());
        assert_eq!(found.is_some(), expected);
    }

    #[test]
    fn contacts_and_percentages_must_be_printed() {
        let printed = Printed::plain(NOTICE);
        assert_eq!(find_phone(&printed, "011-2236588").unwrap().value, "+94 11 223 6588");
        assert_eq!(find_phone(&printed, "011-2236589"), None);
        assert_eq!(find_email(&printed, "bids@RDA.gov.lk").unwrap().value, "Bids@rda.gov.lk");
        assert_eq!(find_email(&printed, "ids@rda.gov.lk"), None);
        assert!(find_percentage(&printed, 2.0).is_some() && find_percentage(&printed, 3.0).is_none());
    }

    #[test]
    fn words_in_any_script_are_found() {
        let printed = Printed::plain("මාර්ග සංවර්ධන\nඅධිකාරිය විසින්");
        assert_eq!(find_words(&printed, "මාර්ග සංවර්ධන අධිකාරිය").unwrap().value, "මාර්ග සංවර්ධන අධිකාරිය");
        assert_eq!(find_words(&printed, "මාර්ග අධිකාරිය"), None);
    }
}
