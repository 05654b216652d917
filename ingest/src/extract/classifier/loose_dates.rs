//! Dates and times in unusual forms: a month name with a day and a year nearby, a day written as
//! three numbers, or a time with a distant or missing `a.m.` or `p.m.`. The `dates` rules read the
//! usual forms. The classifier uses the unusual forms as further candidates.

use crate::extract::rules::{
    cues::{ends_sentence, floor_char_boundary},
    dates::month,
    pattern::patterns,
};
use jiff::civil::Time;
use std::ops::Range;
use tender_model::vocabulary::Day;

patterns! {
    TOKEN = r"\d+|\p{L}[\p{L}\p{M}\u{200C}\u{200D}]*|\n+|[^\w\s]";
    THREE_NUMBERS = r"^(\d{1,4})[^\w\n]{1,5}(\d{1,2})[^\w\n]{1,5}(\d{2,4})\b";
    HOUR = r"(\d{1,2})\s?[.:]\s?([0-5]\d)";
    // Text after a time that makes it part of a longer number.
    GOES_ON = r"^(?:\d|[.,:/]\d|\s?%)";
    LATE = r"p\.?\s?m|afternoon|evening|ප\.?\s?ව|පස්|සවස|අප|பி\.?\s?ப|பிற்|மாலை";
    EARLY = r"a\.?\s?m\b|forenoon|morning|පෙ|පූ|උදේ|மு\.?\s?ப|முற்|காலை";
    HALF_OF_DAY = r"^(?:a|p|am|pm|hrs|hours)$";
}

/// The maximum distance between a month and its year, in tokens.
const MAX_TOKENS_TO_YEAR: usize = 8;
/// The maximum distance between a month and its day, in tokens.
const MAX_TOKENS_TO_DAY: usize = 6;
/// The maximum distance between a time and its `a.m.` or `p.m.`, in bytes.
const HALF_OF_DAY_REACH: usize = 20;
/// The accepted hours of a time without `a.m.` or `p.m.`.
const UNMARKED_HOURS: std::ops::RangeInclusive<i8> = 8..=18;

type Token<'t> = (Range<usize>, &'t str);

/// The days written with a month name or as three numbers.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, Day)> {
    let tokens: Vec<Token<'_>> = TOKEN.find_iter(text).map(|token| (token.range(), token.as_str())).collect();
    let named = (0..tokens.len()).filter_map(|at| day_with_month_name(text, &tokens, at));
    let numbers = tokens.iter().filter(|(_, word)| is_number(word));
    let numbered = numbers.filter_map(|(range, _)| day_in_numbers(text, range.start));
    named.chain(numbered).collect()
}

fn month_of(word: &str) -> Option<i8> {
    // Many other words begin with the Tamil word for May.
    let is_word = word.chars().count() >= 3 && !word.starts_with("மே") || word == "மே";
    month(word).filter(|_| is_word).and_then(|month| i8::try_from(month).ok())
}

/// The day whose month name is the token `at`. The day number and the year may be before or after
/// the month name.
fn day_with_month_name(text: &str, tokens: &[Token<'_>], at: usize) -> Option<(Range<usize>, Day)> {
    let around = |most: usize| at.saturating_sub(most)..(at + most + 1).min(tokens.len());
    let year = around(MAX_TOKENS_TO_YEAR)
        .filter(|nth| is_year(tokens[*nth].1))
        .min_by_key(|nth| nth.abs_diff(at))?;
    let month = month_of(tokens[at].1)?;
    let day = around(MAX_TOKENS_TO_DAY)
        .filter(|nth| is_day(tokens, *nth))
        .min_by_key(|nth| (nth.abs_diff(at), *nth > at))?;
    let (first, last) = (at.min(year).min(day), at.max(year).max(day));
    let between = &tokens[first..=last];
    let months = between.iter().filter(|(_, word)| month_of(word).is_some()).count();
    let is_broken = between.iter().any(|(range, sign)| {
        sign.contains('\n') || *sign == "." && ends_sentence(&text[..range.start], &text[range.end..])
    });
    let day = Day::new(tokens[year].1.parse().ok()?, month, tokens[day].1.parse().ok()?).ok()?;
    (months == 1 && !is_broken).then(|| (tokens[first].0.start..tokens[last].0.end, day))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.starts_with("20") && is_number(word) && matches!(word.as_bytes()[2], b'2'..=b'4')
}

/// Whether a number may be a day and is not part of a time.
fn is_day(tokens: &[Token<'_>], at: usize) -> bool {
    let word = |nth: Option<usize>| nth.and_then(|nth| tokens.get(nth)).map_or("", |(_, word)| *word);
    let is_short = |word: &str| is_number(word) && word.len() <= 2;
    let is_point = |word: &str| matches!(word, "." | ":");
    let number = word(Some(at));
    is_short(number)
        && number.parse().is_ok_and(|day: u8| (1..=31).contains(&day))
        && !(is_point(word(Some(at + 1))) && word(Some(at + 2)).len() == 2 && is_number(word(Some(at + 2))))
        && !(is_point(word(at.checked_sub(1))) && is_short(word(at.checked_sub(2))))
        && !HALF_OF_DAY.is_match(word(Some(at + 1)))
}

/// A day written as three numbers, of which the first is at `at`. Up to five spaces and
/// punctuation marks separate two numbers.
fn day_in_numbers(text: &str, at: usize) -> Option<(Range<usize>, Day)> {
    let groups = THREE_NUMBERS.captures(&text[at..floor_char_boundary(text, at + 24)])?;
    let part = |nth: usize| groups.get(nth).map_or("", |part| part.as_str());
    let (first, month, last) = (part(1), part(2).parse().ok()?, part(3));
    let (year, day) = match (first.len(), last.len()) {
        (4, 2) => (first, last),
        (1 | 2, 2 | 4) => (last, first),
        _ => return None,
    };
    let year: i16 = if year.len() == 4 { year.parse().ok()? } else { 2000 + year.parse::<i16>().ok()? };
    let day = Day::new(year, month, day.parse().ok()?).ok().filter(|_| (2020..2050).contains(&year))?;
    Some((at..at + groups.get(0)?.end(), day))
}

/// The times of a text outside the `taken` ranges.
pub(crate) fn times(text: &str, taken: &[Range<usize>]) -> Vec<(Range<usize>, Time)> {
    let hours = HOUR.captures_iter(text).filter_map(|groups| {
        let range = groups.get(0)?.range();
        let is_free = taken.iter().all(|other| other.end <= range.start || range.end <= other.start);
        let is_part = text[..range.start].ends_with(|c: char| c.is_ascii_digit() || ".,/:".contains(c))
            || GOES_ON.is_match(&text[range.end..]);
        let (hour, minute): (i8, i8) =
            (groups.get(1)?.as_str().parse().ok()?, groups.get(2)?.as_str().parse().ok()?);
        let before =
            &text[floor_char_boundary(text, range.start.saturating_sub(HALF_OF_DAY_REACH))..range.start];
        let after = &text[range.end..floor_char_boundary(text, range.end + HALF_OF_DAY_REACH)];
        let (late, early) =
            (LATE.is_match(after) || LATE.is_match(before), EARLY.is_match(after) || EARLY.is_match(before));
        let hour = match (late, early) {
            (true, false) if hour < 12 => hour + 12,
            (false, false) if !UNMARKED_HOURS.contains(&hour) => return None,
            _ => hour,
        };
        let time = Time::new(hour, minute, 0, 0).ok()?;
        (is_free && !is_part).then_some((range, time))
    });
    hours.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("on the 5th (Friday) of June in the year 2027", Some("2027-06-05"))]
    #[case("2027 ஆம் ஆண்டின் ஜூன் மாதத்தின் 5 ஆவது நாள்", Some("2027-06-05"))]
    #[case("June, 2027 – the 5th", Some("2027-06-05"))]
    #[case("2027 _ 06 _ 05", None)]
    #[case("05 | 06 | 2027", Some("2027-06-05"))]
    #[case("2027 · 06 · 05", Some("2027-06-05"))]
    #[case("at 2.30 in June 2027", None)]
    #[case("June. In 2027 we had 5", None)]
    #[case("between March and June 5 2027", Some("2027-06-05"))]
    #[case("மேலும் 5 பேர் 2027", None)]
    fn a_day_in_an_unusual_form_is_read(#[case] text: &str, #[case] day: Option<&str>) {
        assert_eq!(days(text).first().map(|(_, day)| day.to_string()).as_deref(), day);
    }

    #[rstest]
    #[case("at 14:30", Some("14:30"))]
    #[case("2.30 in the afternoon", Some("14:30"))]
    #[case("forenoon 9.15", Some("09:15"))]
    #[case("paragraph 2.30", None)]
    #[case("1.10.30", None)]
    #[case("a rise of 12.50 %", None)]
    fn a_time_in_an_unusual_form_is_read(#[case] text: &str, #[case] hour: Option<&str>) {
        let hours = times(text, &[]);
        assert_eq!(hours.first().map(|(_, hour)| hour.strftime("%H:%M").to_string()).as_deref(), hour);
    }
}
