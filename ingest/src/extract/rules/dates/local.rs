//! Times in Sinhala and Tamil: `ප.ව. 2.00`, `පැය 1400`, `දහයට`, `மாலை 3 மணி`, `பத்தரை மணி`.

use super::{make_time, match_range};
use crate::extract::rules::pattern::patterns;
use jiff::civil::Time;
use regex::Captures;
use std::ops::Range;

/// The words for `a.m.` and `p.m.`. The first group matches only words for the morning.
macro_rules! half_of_day {
    () => {
        r"(?:(පෙ\s?\.?\s?ව|පෙරවරු|පූර්ව\s?භාග|පූ\s?\.?\s?භා|උදේ|මු\s?\.?\s?ප|මුற්පகல්|மு\s?\.?\s?ப|முற்பகல்|காலை)|සවස|ප\s?\.?\s?ව|පස්වරු|අපර\s?භාග|අ\s?\.?\s?භා|பி\s?\.?\s?ப|பிற்பகல்|மாலை|நண்பகல்|பகல்|அந்தி)"
    };
}

patterns! {
    // ප.ව. 2.00, பி.ப. 3.00, and மாலை 3 மணி, ප.ව. 3 ට with a marker of the hour.
    HALF_FIRST = concat!(half_of_day!(), r"\s?\.?\s?(\d{1,2})(?:\s?[.:]\s?(\d{2})|\s?(?:மணி|ට|වන))");
    // 2.30 பி.ப.
    HALF_LAST = concat!(r"\b(\d{1,2})\s?[.:]\s?(\d{2})\s?", half_of_day!());
    // පැය 14.00, 1400 පැය, 14.00 மணி, 1400 மணி in the 24-hour clock.
    WHOLE_DAY = r"පැය\s(0[89]|1[0-8])[.:]?([0-5]\d)|\b(0[89]|1[0-8])[.:]?([0-5]\d)\s?(?:පැය|மணி)";
    // பிற்பகல் இரண்டரை மணி, පස්වරු දෙකට, පෙරවරු දහයහමාරට.
    IN_WORDS = concat!(half_of_day!(), r"\s?\.?\s?(ஒன்ற|ஒரு|இரண்ட|மூன்ற|நான்க|ஐந்த|எட்ட|ஒன்பத|பதினொ|பன்னிரண்ட|பத்த|එකොළහ|දොළහ|එක|දෙක|තුන|හතර|අට|නවය|දහය)([\p{L}\p{M}]*)");
    // Text after a time that makes it part of a longer number.
    GOES_ON = r"^\s?\.?\s?\d";
    // Text before figures that makes them part of a date.
    PART_OF_DATE = r"\d\s?[./-]\s?$";
}

/// The stems of the words for hours.
const HOUR_WORDS: [(&str, i8); 20] = [
    ("ஒன்ற", 1),
    ("ஒரு", 1),
    ("இரண்ட", 2),
    ("மூன்ற", 3),
    ("நான்க", 4),
    ("ஐந்த", 5),
    ("எட்ட", 8),
    ("ஒன்பத", 9),
    ("பதினொ", 11),
    ("பன்னிரண்ட", 12),
    ("பத்த", 10),
    ("එකොළහ", 11),
    ("දොළහ", 12),
    ("එක", 1),
    ("දෙක", 2),
    ("තුන", 3),
    ("හතර", 4),
    ("අට", 8),
    ("නවය", 9),
    ("දහය", 10),
];
/// The words for half an hour.
const AND_A_HALF: [&str; 2] = ["ரை", "හමාර"];

/// The Sinhala and Tamil times of a text.
pub(crate) fn times(text: &str) -> Vec<(Range<usize>, Time)> {
    let number =
        |groups: &Captures<'_>, nth: usize| groups.get(nth).and_then(|part| part.as_str().parse::<i8>().ok());
    let first = HALF_FIRST.captures_iter(text).filter_map(|groups| {
        let minute = groups.get(3).map_or(Some(0), |_| number(&groups, 3))?;
        Some((match_range(&groups), make_time(number(&groups, 2)? % 12, minute, groups.get(1).is_none())?))
    });
    let mut found: Vec<(Range<usize>, Time)> = first.collect();
    let mut add = |range: Range<usize>, time: Option<Time>| {
        let is_free = found.iter().all(|(other, _)| other.end <= range.start || range.end <= other.start);
        if let (Some(time), true) = (time, is_free) {
            found.push((range, time));
        }
    };
    for groups in HALF_LAST.captures_iter(text) {
        let range = match_range(&groups);
        let clock = number(&groups, 1).zip(number(&groups, 2));
        // `2026.12.10 පෙරවරු`: the figures belong to a date.
        let is_date = PART_OF_DATE.is_match(&text[..range.start]);
        if !is_date && !GOES_ON.is_match(&text[range.end..]) {
            let time = clock.and_then(|(hour, minute)| make_time(hour % 12, minute, groups.get(3).is_none()));
            add(range, time);
        }
    }
    for groups in WHOLE_DAY.captures_iter(text) {
        let part = |a: usize, b: usize| number(&groups, a).or_else(|| number(&groups, b));
        add(
            match_range(&groups),
            part(1, 3).zip(part(2, 4)).and_then(|(hour, minute)| make_time(hour, minute, false)),
        );
    }
    for groups in IN_WORDS.captures_iter(text) {
        let part = |nth: usize| groups.get(nth).map_or("", |part| part.as_str());
        let hour = HOUR_WORDS.iter().find(|(word, _)| *word == part(2)).map(|(_, hour)| *hour);
        let minute = if AND_A_HALF.iter().any(|half| part(3).contains(half)) { 30 } else { 0 };
        add(
            match_range(&groups),
            hour.and_then(|hour| make_time(hour % 12, minute, groups.get(1).is_none())),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::extract::rules::dates::dates;
    use rstest::rstest;

    #[rstest]
    #[case("2026.08.25ஆம் திகதி 14.00 மணிக்கோ", "2026-08-25", "14:00")]
    #[case("15.10.2026 ஆம் திகதி 1400 மணிவரை", "2026-10-15", "14:00")]
    #[case("2026 மே மாதம் 05ஆந் திகதி 14.15 மணியாகும்போது", "2026-05-05", "14:15")]
    #[case("2026 செத்தெம்பர் 22 ஆந் திகதி மு.ப. 10.30 மணி வரை", "2026-09-22", "10:30")]
    #[case("2026 ஆவணி மாதம் 12ஆம் திகதி மாலை 3 மணிக்கு", "2026-08-12", "15:00")]
    #[case("2027 தை 28 பி.ப. 2.30 மணிக்குப் பிந்தாமல்", "2027-01-28", "14:30")]
    #[case("04.12.2026 வெள்ளிக்கிழமை நண்பகல் 12 மணிக்கு", "2026-12-04", "12:00")]
    #[case("09-10-2026 காலை பத்தரை மணிக்கு", "2026-10-09", "10:30")]
    #[case("15.02.2028 செவ்வாய், பி.ப. இரண்டு மணிக்கு", "2028-02-15", "14:00")]
    #[case("20.10.2026 செவ்வாய்க்கிழமை அந்தி 4.00 மணிக்குள்", "2026-10-20", "16:00")]
    #[case("2026.11.24, 2.30 பி.ப.", "2026-11-24", "14:30")]
    #[case("காலை 10 பேர்", "", "")]
    #[case("2026.12.10 පෙරවරු 10.30", "2026-12-10", "10:30")]
    #[case("2026 අගෝස්තු 18 වන දින පැය 14.00 වන විට", "2026-08-18", "14:00")]
    #[case("2026.05.29 දින පැය 1400 ට", "2026-05-29", "14:00")]
    #[case("06.08.2026, 1000 පැය", "2026-08-06", "10:00")]
    #[case("2026.09.18 දින ප.ව. 3 වනතෙක්", "2026-09-18", "15:00")]
    #[case("2026 ජූනි මස 30 වැනි අඟහරුවාදා පස්වරු දෙකට", "2026-06-30", "14:00")]
    #[case("2026 ඔක්තෝබර් 29 පෙරවරු දහයට", "2026-10-29", "10:00")]
    fn a_time_is_read_in_each_language(#[case] text: &str, #[case] day: &str, #[case] time: &str) {
        let found = dates(text);
        let read: Vec<(String, Option<String>)> = found
            .iter()
            .map(|dated| (dated.day.to_string(), dated.time.map(|time| time.strftime("%H:%M").to_string())))
            .collect();
        let expected: Vec<_> =
            (!day.is_empty()).then(|| (day.to_owned(), Some(time.to_owned()))).into_iter().collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn the_end_of_a_date_is_no_time() {
        for text in ["2026.12.10 පෙරවරු\nවේලාව\t10.30", "2026.12.10 மு.ப."] {
            let found = dates(text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found.iter().all(|dated| dated.time.is_none()), "{text}: {found:?}");
        }
    }
}
