//! Dates and times in the usual forms of Sri Lankan notices, with their byte ranges. The rules in
//! `date_purposes` decide their purpose.

mod local;
mod partial;
mod spelled;

use super::pattern::patterns;
use jiff::civil::Time;
use std::ops::Range;
use tender_model::vocabulary::Day;

/// A printed date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrintedDate {
    pub(crate) range: Range<usize>,
    pub(crate) day: Day,
    /// The time printed beside the date.
    pub(crate) time: Option<Time>,
    /// The byte range of date and time.
    pub(crate) with_time: Range<usize>,
    /// Whether all parts of the date are printed.
    source: DateSource,
    /// Whether the printed weekday is right; `None` if none is printed.
    weekday_agrees: Option<bool>,
}

/// The source of the parts of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateSource {
    /// All parts are printed. The year may be printed at the other end of a range.
    Printed,
    /// The year was derived from the issue date or another date, or the month was corrected.
    Assumed,
}

patterns! {
    // 30.07.2021, 17 / 02 /2022, 10-2-2022, and years of two digits.
    DAY_FIRST = r"\b(\d{1,2})\s?[./\-–]\s?(\d{1,2})\s?[./\-–]\s?(\d{4}|\d{2})(?-u:\b)";
    // 2020-03-11, 2027.09.09, 2025 06 01.
    YEAR_FIRST = r"\b((?:19|20)\d\d)\s?(?:[./\-–]\s?(\d{1,2})\s?[./\-–]\s?(\d{1,2})|\s(\d\d)\s(\d\d))(?-u:\b)";
    // 09th May 2017, 5th of June 2027, 7 th August, 2025, 12-Mar-2027, 5th day of June 2027.
    DAY_MONTH = r"\b(\d{1,2})\s?(?:st|nd|rd|th)?\s?(?:day\s)?(?:of\s)?\s?[\-–/.]?\s?([\p{L}\p{M}\u{200C}\u{200D}]{3,})\.?\s?[,\-–/]?\s?((?:19|20)\d\d)\b";
    // Sth of June 2027, lst July 2027: a digit misread as a letter, before an ordinal suffix.
    MISREAD = r"\b((?-i:[SOIlB\d]{1,2}))\s?(?-i:st|nd|rd|th)\s?(?:of\s)?\s?(\p{L}{3,})\.?\s?,?\s?((?:19|20)\d\d)\b";
    // February 16, 2024.
    MONTH_DAY = r"([\p{L}\p{M}\u{200C}\u{200D}]{3,})\.?\s?(\d{1,2})(?:st|nd|rd|th)?\s?,?\s((?:19|20)\d\d)\b";
    // 2020 April 15, 2020 අප්‍රේල් මස 15 දින, 2020 වර්ෂයේ අප්‍රේල් මස 15.
    YEAR_MONTH_DAY = r"\b((?:19|20)\d\d)\s?,?\s?(?:වර්ෂයේ\s|வருடம்\s|ஆம் ஆண்டு\s)?([\p{L}\p{M}\u{200C}\u{200D}]{3,}|தை|மே)\s(?:මස\s|மாதம்\s)?(\d{1,2})(?-u:\b)";
    // 2.30 p.m., 10:30am, 2 pm.
    HALF_DAY = r"\b(\d{1,2})(?:\s?[.:,]\s?(\d{2}))?\s{0,2}(a|p)\s?[.,]?\s?m(?:\b|_)";
    // 1400 hrs, 10.00h, 14:30 hours.
    FULL_DAY = r"\b(\d{1,2})\s?[.:]?\s?(\d{2})\s?(?:hrs?|hours|h)\b";
    // 14.00 without a marker, in office hours.
    BARE_CLOCK = r"\b(0[89]|1[0-8])[.:]([0-5]\d)\b";
    NOON = r"\b12(?:[.:]00)?\s?(?:noon|mid-?day)\b";
    // The text between a date and its time.
    BETWEEN = r"^[\s,;(.]*(?:(?:at|on|commencing|of|the|by|from|and|upto|up to|before|dated|day|hrs|hours|next day|sharp|prompt|ist|slt|slst|lt|(?:gmt|utc)(?: ?\+ ?5[.:]30)?|(?:sri lankan?|local|colombo|standard) (?:standard )?time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[\s,;:)(]*)*(?:(?:වන|වැනි|වෙනි)\s|(?:වැනි|වෙනි)දා|(?:සඳු|අඟහරුවා|බදා|බ්‍රහස්පතින්|සිකුරා|සෙනසුරා|ඉරි)දා|දිනට|දින|அன்று|ஆம்|ஆந்|திகதி|(?:திங்கள்|திங்கட்|செவ்வாய்|புதன்|வியாழன்|வியாழக்|வெள்ளி|வெள்ளிக்|சனி|சனிக்|ஞாயிறு|ஞாயிற்றுக்)(?:க்?கிழமை)?|இல்|,|-|–|h|\s)*[\s,.;):]*(?:on|at|the|of|திகதி|அன்று|දින)*[\s,.]*(?:or before)?\s*$";
}

/// A date and its time are fewer than this many bytes apart. Tamil letters take three bytes.
const MAX_BETWEEN: usize = 120;

/// The complete dates of a text in order, each with the time beside it.
pub(crate) fn dates(text: &str) -> Vec<PrintedDate> {
    with_times(text, complete_dates(text))
}

/// All dates of a text in order, including incomplete ones. `issue` is the date of the newspaper,
/// if known.
pub(crate) fn dates_as_of(text: &str, issue: Option<Day>) -> Vec<PrintedDate> {
    let mut found = complete_dates(text);
    partial::add_incomplete_dates(text, &mut found, issue);
    with_times(text, found)
}

fn with_times(text: &str, found: Vec<(Range<usize>, Day, DateSource)>) -> Vec<PrintedDate> {
    let times = times(text);
    found.into_iter().map(|(range, day, source)| attach_time(text, range, day, source, &times)).collect()
}

/// Whether a date is not part of a longer number, reference or decimal.
fn is_standalone(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let mut after = text[range.end..].chars();
    let (next, further) = (after.next(), after.next());
    before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '-' | '.'))
        && next.is_none_or(|c| {
            c != '/' && !(matches!(c, '-' | '.') && further.is_some_and(char::is_alphanumeric))
        })
}

/// The complete dates in order.
fn complete_dates(text: &str) -> Vec<(Range<usize>, Day, DateSource)> {
    let mut found: Vec<(Range<usize>, Day, DateSource)> = Vec::new();
    let mut add_from = |range: Range<usize>, day: Option<Day>, source: DateSource| {
        let taken = found.iter().any(|(other, ..)| other.start < range.end && range.start < other.end);
        if let (Some(day), true, false) = (day, is_standalone(text, &range), taken) {
            found.push((range, day, source));
        }
    };
    let mut add = |range, day| add_from(range, day, DateSource::Printed);
    for groups in YEAR_FIRST.captures_iter(text) {
        let part = |a: usize, b: usize| groups.get(a).or_else(|| groups.get(b)).map(|m| m.as_str());
        add(match_range(&groups), parse_day(groups.get(1).map(|m| m.as_str()), part(2, 4), part(3, 5)));
    }
    for groups in DAY_FIRST.captures_iter(text) {
        let part = |n: usize| groups.get(n).map(|m| m.as_str());
        add(match_range(&groups), parse_day(part(3), part(2), part(1)));
    }
    for (pattern, (d, m, y)) in
        [(&DAY_MONTH, (1, 2, 3)), (&MONTH_DAY, (2, 1, 3)), (&YEAR_MONTH_DAY, (3, 2, 1))]
    {
        for groups in pattern.captures_iter(text) {
            let part = |n: usize| groups.get(n).map(|m| m.as_str());
            let number = part(m).and_then(month).map(|number| number.to_string());
            add(match_range(&groups), parse_day(part(y), number.as_deref(), part(d)));
        }
    }
    for groups in MISREAD.captures_iter(text) {
        let part = |n: usize| groups.get(n).map(|m| m.as_str());
        let digits = part(1)
            .map(|read| read.replace('S', "5").replace('O', "0").replace(['I', 'l'], "1").replace('B', "8"));
        let number = part(2).and_then(month).map(|number| number.to_string());
        add(match_range(&groups), parse_day(part(3), number.as_deref(), digits.as_deref()));
    }
    for (range, day) in spelled::days(text) {
        add(range, Some(day));
    }
    for (pattern, (d, m)) in [(&DAY_MONTH, (1, 2)), (&MONTH_DAY, (2, 1))] {
        for groups in pattern.captures_iter(text) {
            let part = |n: usize| groups.get(n).map(|m| m.as_str());
            let number = part(m).and_then(misread_month).map(|number| number.to_string());
            add_from(
                match_range(&groups),
                parse_day(part(3), number.as_deref(), part(d)),
                DateSource::Assumed,
            );
        }
    }
    found.sort_by_key(|(range, ..)| range.start);
    found
}

fn match_range(groups: &regex::Captures<'_>) -> Range<usize> {
    groups.get(0).map_or(0..0, |m| m.range())
}

fn parse_day(year: Option<&str>, month: Option<&str>, day: Option<&str>) -> Option<Day> {
    let year: i16 = year?.parse().ok()?;
    let year = if year < 100 { year + 2000 } else { year };
    let (month, day): (i8, i8) = (month?.parse().ok()?, day?.parse().ok()?);
    (1990..=2099).contains(&year).then(|| Day::new(year, month, day).ok()).flatten()
}

const ENGLISH_MONTHS: [&str; 12] = [
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

/// The month meant by a misread English name (`Aprit`, `Novernber`). One letter may differ, or two
/// in a long name. Short names are too similar to other words.
fn misread_month(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let is_near = |name: &str| {
        let most = if name.len() > 6 { 2 } else { 1 };
        name.len() >= 5 && strsim::levenshtein(name, &word) <= most
    };
    ENGLISH_MONTHS.iter().position(|name| is_near(name)).map(|nth| nth + 1)
}

/// The number of the month with an English, Sinhala or Tamil name. English names may be
/// abbreviated.
pub(crate) fn month(word: &str) -> Option<usize> {
    const SINHALA: [&str; 12] = [
        "ජනවාරි",
        "පෙබරවාරි",
        "මාර්තු",
        "අප්‍රේල්",
        "මැයි",
        "ජූනි",
        "ජූලි",
        "අගෝස්තු",
        "සැප්තැම්බර්",
        "ඔක්තෝබර්",
        "නොවැම්බර්",
        "දෙසැම්බර්",
    ];
    const TAMIL: [&str; 12] = [
        "ஜனவரி",
        "பெப்ரவரி",
        "மார்ச்",
        "ஏப்ரல்",
        "மே",
        "ஜூன்",
        "ஜூலை",
        "ஆகஸ்ட்",
        "செப்டெம்பர்",
        "ஒக்டோபர்",
        "நவம்பர்",
        "டிசம்பர்",
    ];
    // Other Tamil spellings.
    const TAMIL_VARIANTS: [(&str, usize); 10] = [
        ("சனவரி", 1),
        ("பிப்ரவரி", 2),
        ("யூன்", 6),
        ("ஓகஸ்ட்", 8),
        ("செப்டம்பர்", 9),
        ("செத்தெம்பர்", 9),
        ("செப்ரெம்பர்", 9),
        ("நவெம்பர்", 11),
        ("டிசெம்பர்", 12),
        ("திசெம்பர்", 12),
    ];
    // The months of the Tamil calendar.
    const TAMIL_CALENDAR: [&str; 12] = [
        "தை",
        "மாசி",
        "பங்குனி",
        "சித்திரை",
        "வைகாசி",
        "ஆனி",
        "ஆடி",
        "ஆவணி",
        "புரட்டாதி",
        "ஐப்பசி",
        "கார்த்திகை",
        "மார்கழி",
    ];
    let bare = |word: &str| word.replace(['\u{200C}', '\u{200D}'], "").to_lowercase();
    let word = bare(word);
    let english =
        ENGLISH_MONTHS.iter().position(|name| word.len() <= name.len() + 1 && name.starts_with(&word));
    english
        .or_else(|| (word == "sept").then_some(8))
        .or_else(|| SINHALA.iter().position(|name| word.starts_with(&bare(name))))
        .or_else(|| TAMIL.iter().position(|name| word.starts_with(&bare(name))))
        .map(|nth| nth + 1)
        .or_else(|| TAMIL_CALENDAR.iter().position(|name| word == *name).map(|nth| nth + 1))
        .or_else(|| {
            TAMIL_VARIANTS.iter().find(|(name, _)| word.starts_with(&bare(name))).map(|(_, month)| *month)
        })
}

/// The times of a text that are recognisable without a date beside them.
pub(crate) fn times(text: &str) -> Vec<(Range<usize>, Time)> {
    let mut found = Vec::new();
    let number =
        |groups: &regex::Captures<'_>, n: usize| groups.get(n).and_then(|m| m.as_str().parse::<i8>().ok());
    for groups in HALF_DAY.captures_iter(text) {
        let hour = number(&groups, 1).filter(|hour| (1..=12).contains(hour));
        let late = groups.get(3).is_some_and(|m| m.as_str().eq_ignore_ascii_case("p"));
        let minute = groups.get(2).map_or(Some(0), |_| number(&groups, 2));
        found.push((
            match_range(&groups),
            hour.zip(minute).and_then(|(hour, minute)| make_time(hour % 12, minute, late)),
        ));
    }
    for groups in NOON.captures_iter(text) {
        found.push((match_range(&groups), make_time(12, 0, false)));
    }
    for groups in FULL_DAY.captures_iter(text) {
        let clock = number(&groups, 1).zip(number(&groups, 2));
        found.push((match_range(&groups), clock.and_then(|(hour, minute)| make_time(hour, minute, false))));
    }
    for groups in BARE_CLOCK.captures_iter(text) {
        let range = match_range(&groups);
        let longer = text[range.end..].starts_with(['.', ',', '/', '-'])
            && text[range.end + 1..].starts_with(|c: char| c.is_ascii_digit())
            || text[..range.start].ends_with(['.', ',', '/', '-', ':']);
        let taken =
            found.iter().any(|(other, _): &(Range<usize>, Option<Time>)| other.contains(&range.start));
        if !longer && !taken {
            let clock = number(&groups, 1).zip(number(&groups, 2));
            found.push((range, clock.and_then(|(hour, minute)| make_time(hour, minute, false))));
        }
    }
    // Times in words or in Sinhala and Tamil take precedence over the figures in them.
    let mut spelled = spelled::times(text);
    spelled.extend(local::times(text));
    let is_apart = |range: &Range<usize>| {
        spelled.iter().all(|(other, _)| other.end <= range.start || range.end <= other.start)
    };
    let figures = found.into_iter().filter_map(|(range, time)| Some((range, time?)));
    let mut all: Vec<(Range<usize>, Time)> = figures.filter(|(range, _)| is_apart(range)).collect();
    all.extend(spelled);
    all
}

fn make_time(hour: i8, minute: i8, afternoon: bool) -> Option<Time> {
    Time::new(if afternoon { hour + 12 } else { hour }, minute, 0, 0).ok()
}

fn attach_time(
    text: &str,
    range: Range<usize>,
    day: Day,
    source: DateSource,
    times: &[(Range<usize>, Time)],
) -> PrintedDate {
    let weekday_agrees = partial::weekday_agrees(text, &range, day);
    let after = times.iter().find(|(time, _)| {
        time.start >= range.end
            && time.start - range.end < MAX_BETWEEN
            && BETWEEN.is_match(&text[range.end..time.start])
    });
    let before = times.iter().rev().find(|(time, _)| {
        time.end <= range.start
            && range.start - time.end < MAX_BETWEEN
            && BETWEEN.is_match(&text[time.end..range.start])
    });
    let (with_time, time) = match before.or(after) {
        Some((at, time)) => (range.start.min(at.start)..range.end.max(at.end), Some(*time)),
        None => (range.clone(), None),
    };
    PrintedDate { range, day, time, with_time, source, weekday_agrees }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("on 30.07.2021.", "2021-07-30", None)]
    #[case("2020-03-11", "2020-03-11", None)]
    #[case("17 / 02 /2022", "2022-02-17", None)]
    #[case("09th May 2017", "2017-05-09", None)]
    #[case("2025 06 01", "2025-06-01", None)]
    #[case("not later than 2.30 p.m. on 30.07.2021", "2021-07-30", Some("14:30"))]
    #[case("at 1400 hrs on 06-05-2027", "2027-05-06", Some("14:00"))]
    #[case("Closing 10.00h on 15th February 2023", "2023-02-15", Some("10:00"))]
    #[case("19th of October 2025, 1000 hrs.", "2025-10-19", Some("10:00"))]
    #[case("until 02.00 p.m. on February 16, 2024", "2024-02-16", Some("14:00"))]
    #[case("17th of April 2025 at 02:15 pm", "2025-04-17", Some("14:15"))]
    #[case("at 12.00 noon on 3rd Sept. 2025", "2025-09-03", Some("12:00"))]
    #[case("2027.09.09 දින ප.ව. 2.00 ට", "2027-09-09", Some("14:00"))]
    #[case("2020 අප්‍රේල් මස 15 දින පස්වරු 2.00", "2020-04-15", Some("14:00"))]
    #[case("2027.02.06 ஆம் திகதி பி.ப. 3.00 மணிக்கு", "2027-02-06", Some("15:00"))]
    #[case("2027 අප්‍රේල් මස 16 වන දින ප.ව. 2.00 දක්වා", "2027-04-16", Some("14:00"))]
    #[case("2027 ஏப்ரல் மாதம் 21 ஆம் திகதி அன்று பிற்பகல் 2.30 மணிக்குள்", "2027-04-21", Some("14:30"))]
    #[case("2024.11.13 පෙ.ව. 10.30", "2024-11-13", Some("10:30"))]
    #[case("02:00 pm on Sth of June 2027", "2027-06-05", Some("14:00"))]
    #[case("17th\nNovember 2024 at 2.15\n\np.m.", "2024-11-17", Some("14:15"))]
    #[case("before 11.00am_ on 23.07.2027.", "2027-07-23", Some("11:00"))]
    #[case("on lOth July 2027", "2027-07-10", None)]
    #[case("at 11.00 am on Monday, 20th January 2020", "2020-01-20", Some("11:00"))]
    #[case("2.00 p.m. (Sri Lanka Time) on Thursday the 05.04.2022", "2022-04-05", Some("14:00"))]
    #[case("Submission deadline: 8 August 2018 14.00.", "2018-08-08", Some("14:00"))]
    #[case("until 15.00 hours on 7th of March, 2019", "2019-03-07", Some("15:00"))]
    #[case("Deadline : 11.00 a.m., 26-Mar-2027", "2027-03-26", Some("11:00"))]
    #[case("on 19th day of April 2027 from 02.00 p.m. onwards", "2027-04-19", Some("14:00"))]
    #[case("2027 වර්ෂයේ මාර්තු මස 26 වැනි දින පෙ.ව. 11.00 තෙක්", "2027-03-26", Some("11:00"))]
    #[case("22/04/2027 දින උදේ 10.30", "2027-04-22", Some("10:30"))]
    #[case("2027 අප්‍රේල් 16 වෙනි දින අ.භා. 2.00", "2027-04-16", Some("14:00"))]
    #[case("23-04-2027 දින පූ.භා. 11.00 වන අතර", "2027-04-23", Some("11:00"))]
    fn a_date_is_read(#[case] text: &str, #[case] day: &str, #[case] time: Option<&str>) {
        let found = dates(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].day.to_string(), day);
        assert_eq!(found[0].time.map(|time| time.strftime("%H:%M").to_string()).as_deref(), time);
    }

    #[rstest]
    #[case("on Friday, 23 Aprit 2027 and", "2027-04-23", 0.85)]
    #[case("on Thursday, 23 Aprit 2027 and", "2027-04-23", 0.5)]
    #[case("Novernber 5, 2027", "2027-11-05", 0.5)]
    fn a_misread_month_is_corrected(#[case] text: &str, #[case] day: &str, #[case] sure: f64) {
        let found = dates(text);
        assert_eq!((found[0].day.to_string().as_str(), found[0].day_confidence()), (day, sure));
    }

    #[rstest]
    #[case("KDU/PRO/S&R/2026/2022")]
    #[case("DSO.MT.2021/11/PRO/05")]
    #[case("Tel. 2021-11-123456")]
    #[case("31.02.2024")]
    #[case("5.10.20.30.2021")]
    #[case("for 12 months 2024")]
    #[case("in 12 Merchant 2024")]
    fn other_numbers_are_not_dates(#[case] text: &str) {
        assert_eq!(dates(text), []);
    }
}
