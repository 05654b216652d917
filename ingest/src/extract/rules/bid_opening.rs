//! The bid opening of a notice that gives no date for it. Bids are opened at a time on the closing
//! day, or immediately after the closing.

use super::{dates::times, pattern::patterns};
use crate::extract::printed::Found;
use jiff::civil::Time;
use std::ops::Range;
use tender_model::vocabulary::Moment;

patterns! {
    AT_ONCE = r"open(?:ed|ing)? (?:\w+ ){0,6}?(?:immediately|soon|just|promptly|directly|straight away)(?: after(?:wards)?\b)?|immediately after|at which time (?:\w+ ){1,3}(?:will|shall) be (?:publicly )?opened|opened at (?:that|this|the same) (?:moment|time|hour)\b|\bclose and are opened\b|විවෘත කරනු|වහාම (?:[\p{L}\p{M}]+ ){0,3}විවෘත|உடனடியாகத் திறக்க";
    // Before the time: `will be publicly opened on the same day at`.
    OPENED_AT = r"\bbe (?:publicly )?opened\b[^.;:\d]{0,60}\bat\s*$";
    // After the time: `ට ප්‍රසිද්ධියේ විවෘත`, `மணிக்குத் திறக்க`.
    THEN_OPENED = r"^\s*(?:ට\s+)?(?:\S+\s+)?(?:විවෘත|திறக்க)";
    SAME_DAY = r"\b(?:same|that) (?:day|date)\b|එදින|அன்றைய (?:தினம்|தினமே)|அதே (?:தினம்|நாள)";
}

/// The printed times of the bid opening.
pub(crate) fn opening_times(text: &str) -> Vec<(Range<usize>, Time)> {
    let is_opening = |range: &Range<usize>| {
        OPENED_AT.is_match(&text[super::cues::sentence_start(text, range.start)..range.start])
            || THEN_OPENED.is_match(&text[range.end..])
    };
    times(text).into_iter().filter(|(range, _)| is_opening(range)).collect()
}

/// The bid opening: at its own time on the closing day, or immediately after the closing. `None`
/// if neither is printed, or the closing is unknown.
pub(crate) fn opening_by_closing(text: &str, closing: Option<&Found<Moment>>) -> Option<Found<Moment>> {
    let closing = closing?;
    let is_same_day = |range: &Range<usize>| {
        SAME_DAY.is_match(&text[super::cues::sentence_start(text, range.start)..range.start])
    };
    if let Some((range, hour)) = opening_times(text).into_iter().find(|(range, _)| is_same_day(range)) {
        let moment = Moment::in_colombo(closing.value.day().to_datetime(hour))?;
        return Some(Found::new(moment, closing.confidence.min(0.85), range));
    }
    let at_once = AT_ONCE.find(text)?;
    let has_hour = Moment::end_of(closing.value.day()) != Some(closing.value);
    has_hour.then(|| Found::new(closing.value, closing.confidence.min(0.9), at_once.range()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINHALA: &str = "මිල ගණන් භාර ගන්නා අවසන් දිනය 2027.04.07 වන අතර එදින පෙ.ව. 11.00 ට විවෘත කරනු ලැබේ.";
    const TAMIL: &str =
        "விலைமனுக்கள் ஏற்கப்படும் இறுதித் திகதி 07.04.2027 ஆகும்; அன்றைய தினம் மு.ப. 11.00 மணிக்குத் திறக்கப்படும்.";
    const ENGLISH: &str = "The closing date is 7 April 2027. Bids will be opened on the same day at 11.00 a.m. at the Board Room.";

    #[test]
    fn only_the_time_of_the_opening_is_recognised() {
        for text in [SINHALA, TAMIL, ENGLISH] {
            let hours: Vec<String> =
                opening_times(text).into_iter().map(|(_, hour)| hour.to_string()).collect();
            assert_eq!(hours, ["11:00:00"], "{text}");
        }
        for text in [
            "Bids close at 11.00 a.m. on 7 April 2027 and will be opened soon after.",
            "Closing and opening of bids at 11.00 a.m.",
            "ලංසු භාර ගන්නා අවසන් වේලාව පෙ.ව. 11.00 වන අතර එවිට විවෘත කරනු ලැබේ.",
        ] {
            assert_eq!(super::opening_times(text), [], "{text}");
        }
    }

    #[test]
    fn bids_that_are_opened_at_once_are_opened_at_the_closing() {
        let closing: Moment = "2026-12-07T13:30:00+05:30".parse().unwrap();
        let closing = Found::new(closing, 0.93, 0..0);
        for text in [
            "placed in the tender box before 1.30 p.m. on 7 December, at which time they will be opened",
            "They will be opened at that moment before such bidders as wish to be present.",
            "Bids are opened directly after the deadline.",
            "Bids close and are opened at No. 5, Main Street.",
            "Bids will be opened immediately thereafter.",
            "ලංසු වසා දැමූ වහාම ලංසුකරුවන් ඉදිරියේ විවෘත කෙරේ.",
        ] {
            let opening = opening_by_closing(text, Some(&closing)).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(opening.value, closing.value, "{text}");
        }
        for text in [
            "The financial envelope will be opened only where the technical envelope is found responsive.",
            "at which time the office is closed; bids are opened on another day",
            "An account must be opened at this bank.",
        ] {
            assert_eq!(opening_by_closing(text, Some(&closing)), None, "{text}");
        }
    }

    #[test]
    fn an_opening_on_the_closing_day_has_its_own_time() {
        for text in [SINHALA, TAMIL, ENGLISH] {
            let day: tender_model::vocabulary::Day = "2027-04-07".parse().unwrap();
            let closing = Found::new(Moment::end_of(day).unwrap(), 0.85, 0..0);
            let opening = opening_by_closing(text, Some(&closing)).unwrap();
            assert_eq!(opening.value.civil().to_string(), "2027-04-07T11:00:00", "{text}");
            assert_eq!(opening_by_closing("Bids are opened soon after closing.", Some(&closing)), None);
        }
    }
}
