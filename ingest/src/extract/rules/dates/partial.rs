//! Incomplete dates: `from 2nd to 16th June 2017`, `on or before Friday, 12th June`. A year or
//! month from the end of the same range counts as printed. A year that is derived from the issue
//! date or another date is assumed.

use super::{DateSource, PrintedDate, is_standalone, match_range, month, parse_day};
use crate::extract::rules::{cues::floor_char_boundary, pattern::patterns};
use jiff::{ToSpan, civil::Weekday};
use std::ops::Range;
use tender_model::vocabulary::Day;

patterns! {
    // 12th June, 3 March. The capital letter excludes `12 may be`.
    DAY_MONTH = r"\b(\d{1,2})\s?(?:st|nd|rd|th)?\s?(?:of\s)?((?-i:\p{Lu})\p{L}{2,8})\b";
    MONTH_DAY = r"\b((?-i:\p{Lu})\p{L}{2,8})\s(\d{1,2})(?:st|nd|rd|th)?\b";
    // The text between the beginning of a range and its end, which has the year.
    TO_FULL = r"^\s?,?\s?(?:(?:up\s?)?to|until|till|and|&|-|–)\s(?:the\s)?$";
    // `between the 5th and`, before `16th October 2026`.
    DAY_ALONE = r"(?:\b(?:from|between|on|of)|[,:(])\s?(?:the\s)?((\d{1,2})(?:\s?(?:st|nd|rd|th))?)\s?(?:(?:up\s?)?to|until|till|and|&|-|–)\s?(?:the\s)?$";
    DAY_AND_MONTH = r"^\d{1,2}\s?(?:st|nd|rd|th)?\s?(?:of\s)?\p{L}";
    WEEKDAY_BEFORE = r"\b(mon|tues|wednes|thurs|fri|satur|sun)day\s?,?\s?(?:the\s|on\s)?\(?$";
    WEEKDAY_AFTER = r"^\s?,?\s?\(?(mon|tues|wednes|thurs|fri|satur|sun)day\b";
}

/// The number of bytes around a date that are searched for the other end of its range, and for its
/// weekday.
const MAX_RANGE_GAP: usize = 40;
/// A date without a year is at most this many days before the issue date.
const MAX_DAYS_BACK: i64 = 45;

/// Adds dates without a year, or without month and year. `issue` is the date of the newspaper. If
/// it is unknown, the first complete date is used instead.
pub(crate) fn add_incomplete_dates(
    text: &str,
    full: &mut Vec<(Range<usize>, Day, DateSource)>,
    issue: Option<Day>,
) {
    let today = issue.or_else(|| full.first().map(|(_, day, _)| *day));
    let mut found = Vec::new();
    for (pattern, (d, m)) in [(&DAY_MONTH, (1, 2)), (&MONTH_DAY, (2, 1))] {
        for groups in pattern.captures_iter(text) {
            let range = match_range(&groups);
            let part = |n: usize| groups.get(n).map(|part| part.as_str());
            let Some(month) = part(m).and_then(month).map(|number| number.to_string()) else { continue };
            let free = full.iter().all(|(other, ..)| other.end <= range.start || range.end <= other.start);
            if !free || !is_standalone(text, &range) || text[range.end..].starts_with([':', '/']) {
                continue;
            }
            let of_year = |year: i16| parse_day(Some(&year.to_string()), Some(&month), part(d));
            let borrowed = range_end(text, &range, full).and_then(|other| {
                of_year(other.year()).filter(|day| *day <= other).or_else(|| of_year(other.year() - 1))
            });
            let assumed = || {
                let today = today?;
                let least = today.checked_sub(MAX_DAYS_BACK.days()).ok()?;
                of_year(today.year()).filter(|day| *day >= least).or_else(|| of_year(today.year() + 1))
            };
            match (borrowed, assumed()) {
                (Some(day), _) => found.push((range, day, DateSource::Printed)),
                (None, Some(day)) => found.push((range, day, DateSource::Assumed)),
                (None, None) => {}
            }
        }
    }
    full.extend(found);
    full.sort_by_key(|(range, ..)| range.start);
    let days: Vec<_> = full.iter().filter_map(|date| range_start(text, date)).collect();
    full.extend(days);
    full.sort_by_key(|(range, ..)| range.start);
}

/// The complete date at the end of a range.
fn range_end(text: &str, range: &Range<usize>, full: &[(Range<usize>, Day, DateSource)]) -> Option<Day> {
    let other =
        full.iter().find(|(other, ..)| other.start >= range.end && other.start - range.end < MAX_RANGE_GAP);
    other.filter(|(other, ..)| TO_FULL.is_match(&text[range.end..other.start])).map(|(_, day, _)| *day)
}

/// The day that begins a range whose end has the month and the year.
fn range_start(
    text: &str,
    (range, end, source): &(Range<usize>, Day, DateSource),
) -> Option<(Range<usize>, Day, DateSource)> {
    if !DAY_AND_MONTH.is_match(&text[range.clone()]) {
        return None;
    }
    let from = floor_char_boundary(text, range.start.saturating_sub(MAX_RANGE_GAP));
    let groups = DAY_ALONE.captures(&text[from..range.start])?;
    let (found, number) = (groups.get(1)?, groups.get(2)?.as_str().parse().ok()?);
    let day = Day::new(end.year(), end.month(), number).ok().filter(|day| day < end)?;
    Some((from + found.start()..from + found.end(), day, *source))
}

/// Whether the weekday beside a date is right; `None` if none is printed.
pub(crate) fn weekday_agrees(text: &str, range: &Range<usize>, day: Day) -> Option<bool> {
    let from = floor_char_boundary(text, range.start.saturating_sub(MAX_RANGE_GAP));
    let groups = WEEKDAY_BEFORE.captures(&text[from..range.start]).or_else(|| {
        WEEKDAY_AFTER.captures(&text[range.end..floor_char_boundary(text, range.end + MAX_RANGE_GAP)])
    })?;
    let printed = match groups.get(1)?.as_str().to_lowercase().as_str() {
        "mon" => Weekday::Monday,
        "tues" => Weekday::Tuesday,
        "wednes" => Weekday::Wednesday,
        "thurs" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "satur" => Weekday::Saturday,
        _ => Weekday::Sunday,
    };
    Some(printed == day.weekday())
}

impl PrintedDate {
    /// The confidence that this day is meant. A wrong weekday needs a reviewer, and so does an
    /// assumed date without a weekday.
    pub(crate) const fn day_confidence(&self) -> f64 {
        match (self.weekday_agrees, self.source) {
            (Some(false), _) | (None, DateSource::Assumed) => 0.5,
            (Some(true), DateSource::Assumed) => 0.85,
            (_, DateSource::Printed) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::rules::dates::dates_as_of;
    use rstest::rstest;

    #[rstest]
    #[case("issued from 2nd June up to 16th June 2017, 0900 hrs", &[("2017-06-02", 1.0), ("2017-06-16", 1.0)])]
    #[case("between 20 December and 5 January 2027", &[("2026-12-20", 1.0), ("2027-01-05", 1.0)])]
    #[case("from 5th to 16th October 2026", &[("2026-10-05", 1.0), ("2026-10-16", 1.0)])]
    #[case("on or before 3.00 p.m. on Friday, 12th June", &[("2026-06-12", 0.85)])]
    #[case("on or before 3.00 p.m. on Monday, 12th June", &[("2026-06-12", 0.5)])]
    #[case("until July 25 at noon", &[("2026-07-25", 0.5)])]
    #[case("until 4 January", &[("2027-01-04", 0.5)])]
    #[case("on Tuesday 29th September 2026", &[("2026-09-29", 1.0)])]
    #[case("on Monday 29th September 2026", &[("2026-09-29", 0.5)])]
    #[case("documents 12 may be had, 3 Marching bands, Lot 2 - 5 March 2027", &[("2027-03-05", 1.0)])]
    #[case("for 31 February, 45 March and No. 12 Mayfield Road", &[])]
    fn missing_parts_are_completed(#[case] text: &str, #[case] expected: &[(&str, f64)]) {
        let found = dates_as_of(text, "2026-05-20".parse().ok());
        let found: Vec<_> =
            found.iter().map(|dated| (dated.day.to_string(), dated.day_confidence())).collect();
        let expected: Vec<_> = expected.iter().map(|(day, sure)| ((*day).to_owned(), *sure)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn without_an_issue_a_complete_date_gives_the_year() {
        let found = dates_as_of("Notice of 20.05.2026\n\nuntil 12th June", None);
        assert_eq!(found[1].day.to_string(), "2026-06-12");
        assert!(dates_as_of("until 12th June", None).is_empty());
    }
}
