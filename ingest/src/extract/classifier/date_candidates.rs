//! The printed dates as candidates for the closing.

use super::{
    context::{context_features, sentence_or_row},
    loose_dates,
};
use crate::extract::{
    printed::Printed,
    rules::{
        bid_opening,
        dates::{dates_as_of, times},
        money,
    },
};
use jiff::civil::Time;
use std::ops::Range;
use tender_model::vocabulary::Day;

/// A printed date with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct DateCandidate {
    /// The day.
    pub day: Day,
    /// The time printed beside the day.
    pub time: Option<Time>,
    /// If no time is printed beside the day: the nearest time in its sentence or table row, with
    /// the byte range of the time.
    pub nearby_time: Option<(Time, Range<usize>)>,
    /// The byte range of the day and of the time that follows or precedes it.
    pub range: Range<usize>,
    /// The confidence that this day is meant, 0 to 1.
    pub day_confidence: f64,
    /// The features for the classifier.
    pub features: Vec<String>,
}

/// The hours in which offices accept bids.
const OFFICE_HOURS: std::ops::RangeInclusive<i8> = 8..=16;
/// Two dates are the ends of a range only if fewer than this many bytes are between them.
const MAX_RANGE_GAP: usize = 28;

/// The dates of a notice in order. `issue` is the date of the newspaper, if known.
#[must_use]
pub fn date_candidates(printed: &Printed, issue: Option<Day>) -> Vec<DateCandidate> {
    let mut candidates = find_candidates(printed.flow(), issue);
    let hours = times_without_date(printed.flow(), &candidates);
    let ranges: Vec<Range<usize>> = candidates.iter().map(|candidate| candidate.range.clone()).collect();
    for (nth, candidate) in candidates.iter_mut().enumerate() {
        let last_end = nth.checked_sub(1).and_then(|last| ranges.get(last)).map_or(0, |last| last.end);
        let next_start = ranges.get(nth + 1).map_or(printed.flow().len(), |next| next.start);
        candidate.features = context_features(printed, &candidate.range, last_end, next_start);
        if candidate.time.is_none() {
            let scope = sentence_or_row(printed, &candidate.range);
            let within = scope.start.max(last_end)..scope.end.min(next_start.max(candidate.range.end));
            candidate.nearby_time = nearest_time(&hours, &candidate.range, &within);
        }
    }
    let relations: Vec<Vec<String>> =
        (0..candidates.len()).map(|nth| relation_features(printed.flow(), &candidates, nth)).collect();
    for (candidate, relation) in candidates.iter_mut().zip(relations) {
        candidate.features.extend(relation);
    }
    candidates
}

fn find_candidates(text: &str, issue: Option<Day>) -> Vec<DateCandidate> {
    let plain = dates_as_of(text, issue).into_iter().map(|dated| DateCandidate {
        day_confidence: dated.day_confidence(),
        day: dated.day,
        time: dated.time,
        nearby_time: None,
        range: dated.with_time,
        features: Vec::new(),
    });
    let mut found: Vec<DateCandidate> = plain.collect();
    for (range, day) in loose_dates::days(text) {
        let is_free =
            found.iter().all(|other| other.range.end <= range.start || range.end <= other.range.start);
        if is_free {
            found.push(DateCandidate {
                day,
                time: None,
                nearby_time: None,
                range,
                day_confidence: 1.0,
                features: Vec::new(),
            });
        }
    }
    found.sort_by_key(|candidate| candidate.range.start);
    found
}

/// The times that are not beside a date and not the time of the bid opening.
fn times_without_date(text: &str, candidates: &[DateCandidate]) -> Vec<(Range<usize>, Time)> {
    let mut hours = times(text);
    let days = candidates.iter().map(|candidate| candidate.range.clone());
    let sums = money::amounts(text).into_iter().map(|sum| sum.range);
    let taken: Vec<Range<usize>> =
        days.chain(sums).chain(hours.iter().map(|(range, _)| range.clone())).collect();
    hours.extend(loose_dates::times(text, &taken));
    let of_opening = bid_opening::opening_times(text);
    hours.retain(|(range, _)| {
        !candidates.iter().any(|candidate| candidate.time.is_some() && candidate.range.contains(&range.start))
            && !of_opening.iter().any(|(other, _)| other == range)
    });
    hours
}

fn nearest_time(
    hours: &[(Range<usize>, Time)],
    day: &Range<usize>,
    within: &Range<usize>,
) -> Option<(Time, Range<usize>)> {
    let distance = |hour: &Range<usize>| hour.start.abs_diff(day.end).min(hour.end.abs_diff(day.start));
    let inside = hours.iter().filter(|(hour, _)| within.contains(&hour.start));
    inside.min_by_key(|(hour, _)| distance(hour)).map(|(hour, time)| (*time, hour.clone()))
}

/// Features of the date's time and of its relation to the other dates.
fn relation_features(text: &str, candidates: &[DateCandidate], nth: usize) -> Vec<String> {
    let candidate = &candidates[nth];
    let same_day = || {
        let others = candidates.iter().enumerate().filter(move |(other, _)| *other != nth);
        others.map(|(_, other)| other).filter(|other| other.day == candidate.day)
    };
    let latest = candidates.iter().filter(|other| other.time.is_some()).map(|other| other.day).max();
    let is_range = |from: &DateCandidate, to: &DateCandidate| {
        let between = text.get(from.range.end..to.range.start);
        between.is_some_and(|between| between.len() < MAX_RANGE_GAP && !between.contains('\t'))
            && from.day < to.day
    };
    let neighbour = |nth: Option<usize>| nth.and_then(|nth| candidates.get(nth));
    let features = [
        ("hour", candidate.time.is_some()),
        ("office", candidate.time.is_some_and(|time| OFFICE_HOURS.contains(&time.hour()))),
        ("hour apart", candidate.nearby_time.is_some()),
        ("latest with an hour", candidate.time.is_some() && latest == Some(candidate.day)),
        ("later that day", candidate.time.is_some() && same_day().any(|other| other.time > candidate.time)),
        ("hour elsewhere", candidate.time.is_none() && same_day().any(|other| other.time.is_some())),
        ("range begins", neighbour(Some(nth + 1)).is_some_and(|next| is_range(candidate, next))),
        ("range ends", neighbour(nth.checked_sub(1)).is_some_and(|last| is_range(last, candidate))),
    ];
    features.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()).collect()
}
