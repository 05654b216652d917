//! Dates and times in words: `half past two`, `eleven in the forenoon`, `by noon` and
//! `the eighteenth of March 2027`.

use super::{match_range, month, parse_day};
use crate::extract::rules::pattern::patterns;
use jiff::civil::Time;
use std::ops::Range;
use tender_model::vocabulary::Day;

patterns! {
    // An hour with a marker: `half past` or `quarter to`, `o'clock`, or a half of the day.
    HOUR = r"\b(?:(?P<part>half|quarter|a quarter)\s(?P<side>past|to|after)\s)?(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?:\s?[.:]\s?(?P<minute>[0-5]\d))?(?P<clock>\s?o\s?['’]?\s?clock)?(?:[\s,]{0,2}(?:in|on|of|at)?\s?(?:the\s)?(?P<half>(?:a|p)\s?\.?\s?m\b|fore\s?noon|morning|after\s?noon|evening|noon|mid-?day))?";
    NOON = r"\b(?:by|before|until|till|to|at|than|from|,)\s(?:twelve\s)?(noon|mid-?day)\b|\b(noon|mid-?day)\s?(?:,|of|on|sharp)\s?";
    DAY = r"\b(?:the\s)?((?:twenty|thirty)?[\s-]?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)\s(?:day\s)?(?:of\s)?(\p{L}{3,9}),?\s?((?:19|20)\d\d)\b";
}

const HOURS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
/// The hour at which offices open. Without `a.m.` or `p.m.`, an earlier hour is in the afternoon.
const OFFICE_OPENS: i8 = 8;

/// The days in words with a year in figures.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, Day)> {
    let found = DAY.captures_iter(text).filter_map(|groups| {
        let part = |nth: usize| groups.get(nth).map_or("", |part| part.as_str());
        let number = ordinal(part(1))?.to_string();
        let month = month(part(2))?.to_string();
        Some((match_range(&groups), parse_day(Some(part(3)), Some(&month), Some(&number))?))
    });
    found.collect()
}

fn ordinal(words: &str) -> Option<usize> {
    let words = words.to_lowercase().replace('-', " ");
    let (tens, last) = words.trim().rsplit_once(' ').unwrap_or(("", words.trim()));
    let one = match last {
        "thirtieth" => 30,
        _ => ORDINALS.iter().position(|name| *name == last)? + 1,
    };
    match tens {
        "" => Some(one),
        "twenty" if one < 10 => Some(20 + one),
        "thirty" if one < 2 => Some(30 + one),
        _ => None,
    }
}

/// The times in words, and the hours with `o'clock` or a half of the day.
pub(crate) fn times(text: &str) -> Vec<(Range<usize>, Time)> {
    let noon = NOON.captures_iter(text).filter_map(|groups| {
        let range = groups.get(1).or_else(|| groups.get(2))?.range();
        Some((range, Time::constant(12, 0, 0, 0)))
    });
    let found = HOUR.captures_iter(text).filter_map(|groups| {
        let part = |name: &str| groups.name(name).map(|part| part.as_str().to_lowercase());
        let has_marker = ["part", "clock", "half"].iter().any(|name| groups.name(name).is_some());
        if !has_marker {
            return None;
        }
        let word = part("hour")?;
        let hour = HOURS.iter().position(|name| *name == word);
        let hour = hour.and_then(|nth| i8::try_from(nth + 1).ok());
        let hour = hour.or_else(|| word.parse().ok()).filter(|hour| (1..=12).contains(hour))?;
        let minute: i32 = part("minute").map_or(Some(0), |minute| minute.parse().ok())?;
        let late = match part("half") {
            Some(half) if half.starts_with(['a', 'p']) && half.trim_end().ends_with('m') => {
                half.starts_with('p')
            }
            Some(half) => !half.starts_with('f') && !half.starts_with("mor"),
            None => hour < OFFICE_OPENS || hour == 12,
        };
        let minutes = i32::from(hour % 12) * 60 + minute + if late { 12 * 60 } else { 0 };
        let minutes = match (part("part").as_deref(), part("side").as_deref()) {
            (None, _) => minutes,
            (Some("half"), Some("to")) => return None,
            (Some("half"), _) => minutes + 30,
            (Some(_), Some("to")) => minutes - 15,
            (Some(_), _) => minutes + 15,
        };
        let (hour, minute) = (i8::try_from(minutes / 60).ok()?, i8::try_from(minutes % 60).ok()?);
        Some((match_range(&groups), Time::new(hour, minute, 0, 0).ok()?))
    });
    found.chain(noon).collect()
}

#[cfg(test)]
mod tests {
    use crate::extract::rules::dates::dates;
    use rstest::rstest;

    #[rstest]
    #[case("until half past one in the afternoon on 3rd November 2026", "2026-11-03", "13:30")]
    #[case("until quarter past two in the afternoon of Thursday 23rd July 2026", "2026-07-23", "14:15")]
    #[case("up to a quarter past ten in the morning of 16 December 2026", "2026-12-16", "10:15")]
    #[case("before eleven in the forenoon of 12.11.2026", "2026-11-12", "11:00")]
    #[case("before three in the afternoon of the 9th of April, 2026", "2026-04-09", "15:00")]
    #[case("till 3 in the afternoon, Wednesday 10 February 2027", "2027-02-10", "15:00")]
    #[case("by 10.30 on the morning of Thursday, 7th May 2026", "2026-05-07", "10:30")]
    #[case("before two o'clock p.m. on 31 March 2028", "2028-03-31", "14:00")]
    #[case("25 February 2027, 2 o'clock in the afternoon", "2027-02-25", "14:00")]
    #[case("before ten o’clock on the morning of 17th September 2026", "2026-09-17", "10:00")]
    #[case("11 o'clock morning, 15 May 2026", "2026-05-15", "11:00")]
    #[case("at ten a.m. on Friday 16 October 2026", "2026-10-16", "10:00")]
    #[case("by half past two on 16 October 2026", "2026-10-16", "14:30")]
    #[case("at quarter to twelve on 16 October 2026", "2026-10-16", "11:45")]
    #[case("by noon 11-03-2027", "2027-03-11", "12:00")]
    #[case("Noon, 15 May, 2026 is the", "2026-05-15", "12:00")]
    #[case("until twelve noon of Friday the 4th of September 2026", "2026-09-04", "12:00")]
    #[case("until 14.00 hrs of the eighteenth of March 2027", "2027-03-18", "14:00")]
    #[case("by noon on the twentieth of May, 2026", "2026-05-20", "12:00")]
    #[case("on the twenty-first day of October 2026 at 14.30 hrs", "2026-10-21", "14:30")]
    fn a_moment_in_words_is_read(#[case] text: &str, #[case] day: &str, #[case] time: &str) {
        let found = dates(text);
        assert_eq!(found.len(), 1, "{found:?}");
        let read = found[0].time.map(|time| time.strftime("%H:%M").to_string());
        assert_eq!((found[0].day.to_string().as_str(), read.as_deref()), (day, Some(time)));
    }

    #[rstest]
    #[case("two copies on 16 October 2026")]
    #[case("one year from 16 October 2026")]
    #[case("Lot 3 of 16 October 2026")]
    fn a_number_alone_is_not_a_time(#[case] text: &str) {
        assert!(dates(text).iter().all(|dated| dated.time.is_none()), "{:?}", dates(text));
    }

    #[rstest]
    #[case("the thirty-second of May 2026")]
    #[case("the twenty-tenth of May 2026")]
    #[case("the second of them 2026")]
    fn other_words_are_not_days(#[case] text: &str) {
        assert_eq!(dates(text), []);
    }
}
