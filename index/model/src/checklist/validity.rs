//! Until when a bid security must be valid, in the words of the notice.

use super::sentences::{Sentence, sentences};
use crate::{
    tender::Tender,
    vocabulary::{Day, Kind},
};
use jiff::{ToSpan, civil};

pub(super) const SECURITY: [&str; 7] = [
    "bid security",
    "bid bond",
    "tender bond",
    "tender security",
    "bid securing",
    "ලංසු සුරක්ෂණය",
    "விலைமனுப் பிணை",
];
pub(super) const VALIDITY: [&str; 8] = [
    "valid until",
    "valid up to",
    "valid till",
    "valid to",
    "valid for",
    "shall be valid",
    "validity",
    "in force",
];

/// The first words before the last day of the validity.
const UNTIL: [&str; 3] = ["until", "till", "to"];
/// The words between a number of days and what they are counted from.
const COUNTED_FROM: [&str; 3] = ["from", "after", "beyond"];
/// The words that name the closing, and how many words may stand before them.
const CLOSING: [&str; 3] = ["closing", "deadline", "close"];
const MAX_BETWEEN: usize = 4;
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// The longest validity after the closing, in days. A longer one was misread.
const MAX_DAYS: i64 = 730;

/// The last day on which a bid security must be valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityExpiry {
    /// The day.
    pub day: Day,
    /// The sentence of the notice.
    pub printed: String,
    /// Whether the notice counts days from the closing, so that the day moves with it.
    pub is_counted_from_closing: bool,
}

/// Until when the bid security must be valid. `None`: the notice names neither a day nor a number of days
/// after the closing, or the tender has no closing day.
#[must_use]
pub fn security_expiry(tender: &Tender) -> Option<SecurityExpiry> {
    let closing = tender.dates.closing?.day();
    if tender.kind != Kind::Purchase {
        return None;
    }
    sentences(&tender.full_text_markdown).iter().find_map(|sentence| expiry_in(sentence, closing))
}

fn expiry_in(sentence: &Sentence, closing: Day) -> Option<SecurityExpiry> {
    if !sentence.has(&SECURITY) || !sentence.has(&VALIDITY) {
        return None;
    }
    let words: Vec<&str> = sentence.words().collect();
    // Amounts and dates before these words are not of the validity.
    let from = words.iter().position(|word| ["valid", "validity", "force"].contains(word))?;
    let words = &words[from + 1..];
    let counted = (0..words.len()).find_map(|at| days_after_closing(&words[at..]));
    let counted_day = counted.and_then(|days| closing.checked_add(days.days()).ok());
    let named = || (0..words.len()).find_map(|at| last_day(&words[at..]));
    let day = counted_day.or_else(named)?;
    let days = closing.until(day).ok()?.get_days();
    (1..=MAX_DAYS).contains(&i64::from(days)).then(|| SecurityExpiry {
        day,
        printed: sentence.text.clone(),
        is_counted_from_closing: counted_day.is_some(),
    })
}

/// `119 days from the date of closing`.
fn days_after_closing(words: &[&str]) -> Option<i64> {
    let (["days", "counted", from, rest @ ..] | ["days", from, rest @ ..]) = words.get(1..)? else {
        return None;
    };
    let is_closing = || rest.iter().take(MAX_BETWEEN + 1).any(|word| CLOSING.contains(word));
    let days: i64 = words.first()?.parse().ok()?;
    (COUNTED_FROM.contains(from) && is_closing() && days <= MAX_DAYS).then_some(days)
}

/// `until 9th April 2027`, `up to April 9, 2027`, `till 09.04.2027`, `until 2027-04-09`.
fn last_day(words: &[&str]) -> Option<Day> {
    let (until, rest) = words.split_first()?;
    if !UNTIL.contains(until) {
        return None;
    }
    let rest: Vec<&str> =
        rest.iter().copied().filter(|word| !["st", "nd", "rd", "th", "of", "the"].contains(word)).collect();
    let [one, two, three, ..] = rest.as_slice() else { return None };
    let number = |word: &str| word.parse::<i16>().ok();
    let month = |word: &str| {
        let is_month = |name: &&str| *name == word || word.len() == 3 && name.starts_with(word);
        let at = MONTHS.iter().position(is_month).and_then(|at| i16::try_from(at + 1).ok());
        at.or_else(|| number(word))
    };
    let (year, month, day) = match (number(one), number(three)) {
        (Some(year), Some(day)) if year > 31 => (year, month(two)?, day),
        (Some(day), Some(year)) => (year, month(two)?, day),
        (None, Some(year)) => (year, month(one)?, number(two)?),
        _ => return None,
    };
    let part = |value: i16| i8::try_from(value).ok();
    let date = civil::Date::new(year, part(month)?, part(day)?).ok()?;
    (date.year() > 2000).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    fn tender(text: &str) -> Tender {
        let dates = json!({"closing": "2026-12-11T14:30:00+05:30"});
        serde_json::from_value(json!({"dates": dates, "fullTextMarkdown": text})).unwrap()
    }

    #[rstest]
    #[case(
        "A Bid Security of LKR 50,000.00 valid up to 119 days from the date of closing of bids.",
        "2027-04-09"
    )]
    #[case("Bid bond LKR 8,000/=, valid 120 days from closing. It shall be valid for it.", "")]
    #[case(
        "A bid security of Rs 110,000, in force for 120 days after the deadline, shall accompany it.",
        "2027-04-10"
    )]
    #[case("The bid security shall be valid until 9th April 2027.", "2027-04-09")]
    #[case("Bid bond valid till 09.04.2027 in the form of a guarantee", "2027-04-09")]
    #[case("Bid security of Rs 5,000 valid up to April 9, 2027.", "2027-04-09")]
    #[case("The bid security must be valid until 2027-04-09.", "2027-04-09")]
    #[case("Bid security Rs 85,000/= valid for 119 days", "")]
    #[case("The bid security is to be in force for 28 days beyond the bid validity of 91 days", "")]
    #[case("Bid security valid until 9th April 2007.", "")]
    #[case("Bid security valid until 31st February 2027.", "")]
    #[case("Bid security valid for 9000 days from the closing.", "")]
    #[case("The performance bond shall be valid until 9th April 2027.", "")]
    #[case("On 5 May 2027 a bid security is due. Its validity is stated in the documents.", "")]
    fn the_last_day_is_read(#[case] text: &str, #[case] day: &str) {
        let found = security_expiry(&tender(text));
        assert_eq!(found.map(|found| found.day.to_string()).unwrap_or_default(), day);
    }

    #[test]
    fn the_sentence_is_quoted_and_a_counted_day_moves_with_the_closing() {
        let sentence = "Bid bonds are due. A tender bond valid for 30 days after the closing date is needed.";
        let mut asked = tender(sentence);
        let found = security_expiry(&asked).unwrap();
        assert_eq!(found.printed, "A tender bond valid for 30 days after the closing date is needed.");
        assert!(found.is_counted_from_closing);
        assert_eq!(found.day.to_string(), "2027-01-10");
        asked.dates.closing = "2026-12-12T14:30:00+05:30".parse().ok();
        assert_eq!(security_expiry(&asked).unwrap().day.to_string(), "2027-01-11");
        asked.dates.closing = None;
        assert_eq!(security_expiry(&asked), None);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "(bid security|valid|until|to|[0-9]{1,20}|days|from|closing|may|[ .,-]){0,40}") {
            if let Some(found) = security_expiry(&tender(&text)) {
                prop_assert!(found.day > "2026-12-11".parse().unwrap());
            }
        }
    }
}
