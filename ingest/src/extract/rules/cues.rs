//! Assigns roles to items, which are numbers or dates, by the words around them, called cues. The
//! cue with the highest score decides. The score is the weight of the cue minus its distance from
//! the item. A cue after the item also loses [`FOLLOWING_PENALTY`].

use regex::Regex;
use std::ops::Range;

/// A pattern that indicates a role. One point of `weight` equals one byte of distance.
pub(crate) struct Cue<'p, R> {
    pub(crate) role: R,
    pub(crate) pattern: &'p Regex,
    pub(crate) weight: usize,
}

/// The number of bytes before an item that are searched for its cues.
const REACH_BACK: usize = 260;
/// The number of bytes after an item that are searched for its cues.
const REACH_AHEAD: usize = 90;
/// A cue after its item loses this many points of its score.
const FOLLOWING_PENALTY: usize = 60;

/// The role of `item`, with the weight and the byte range of the cue with the highest score;
/// `None` without a cue. Leading cues must be in the sentence of the item. Text before
/// `not_before` and after `not_after` belongs to other items and is ignored.
pub(crate) fn best_role<R: Copy>(
    text: &str,
    item: &Range<usize>,
    not_before: usize,
    not_after: usize,
    leading: &[Cue<'_, R>],
    following: &[Cue<'_, R>],
) -> Option<(R, usize, Range<usize>)> {
    let start = sentence_start(text, item.start).max(not_before.min(item.start));
    let before = &text[start..item.start];
    let mut best: Option<(usize, R, usize, Range<usize>)> = None;
    let mut consider = |score: usize, role: R, weight: usize, range: Range<usize>| {
        if best.as_ref().is_none_or(|(other, ..)| score > *other) {
            best = Some((score, role, weight, range));
        }
    };
    for cue in leading {
        if let Some(found) = cue.pattern.find_iter(before).last() {
            let distance = before.len() - found.end();
            let score = (cue.weight + REACH_BACK).saturating_sub(distance);
            consider(score, cue.role, cue.weight, start + found.start()..start + found.end());
        }
    }
    let end =
        floor_char_boundary(text, (item.end + REACH_AHEAD).min(not_after.max(item.end)).min(text.len()));
    // A blank line ends the text for following cues only after a full stop, a semicolon or a
    // colon. Otherwise the sentence continues in the next paragraph.
    let after = &text[item.end..end];
    let paragraph = after.match_indices("\n\n").find(|(gap, _)| after[..*gap].ends_with(['.', ';', ':']));
    let after = paragraph.map_or(after, |(gap, _)| &after[..gap]);
    for cue in following {
        if let Some(found) = cue.pattern.find(after) {
            let score = (cue.weight + REACH_BACK).saturating_sub(found.start() + FOLLOWING_PENALTY);
            consider(score, cue.role, cue.weight, item.end + found.start()..item.end + found.end());
        }
    }
    best.map(|(_, role, weight, range)| (role, weight, range))
}

/// The start of the sentence that contains a position, at most [`REACH_BACK`] bytes before the
/// position.
pub(crate) fn sentence_start(text: &str, at: usize) -> usize {
    let from = floor_char_boundary(text, at.saturating_sub(REACH_BACK));
    let window = &text[from..at];
    let paragraph = window.rfind("\n\n").map_or(0, |end| end + 2);
    let mut start = paragraph;
    for (stop, _) in window.match_indices(". ").filter(|(stop, _)| *stop >= paragraph) {
        if ends_sentence(&window[..stop], &window[stop + 1..]) {
            start = stop + 2;
        }
    }
    from + start
}

/// The sentence that contains an item. It extends at most [`REACH_BACK`] bytes before the item and
/// as many after it.
pub(crate) fn sentence<'t>(text: &'t str, item: &Range<usize>) -> &'t str {
    let start = sentence_start(text, item.start);
    let after = &text[item.end..floor_char_boundary(text, item.end + REACH_BACK)];
    let paragraph = after.find("\n\n").unwrap_or(after.len());
    let mut stops = after.match_indices(". ").map(|(stop, _)| stop);
    let stop = stops.find(|stop| ends_sentence(&text[start..item.end + stop], &after[stop + 1..]));
    &text[start..item.end + stop.unwrap_or(paragraph).min(paragraph)]
}

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 23] = [
    "no", "nos", "rs", "mr", "mrs", "ms", "dr", "prof", "st", "tel", "ref", "approx", "dept", "ltd", "i.e",
    "රු", "පෙ", "ප", "ව", "භා", "ரூ", "மு", "பி",
];

/// Whether the full stop between two texts ends a sentence.
pub(crate) fn ends_sentence(before: &str, after: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '.' | '(')).next().unwrap_or_default();
    let word = word.to_lowercase();
    let single_letter = word.chars().count() <= 1 && !word.chars().all(|c| c.is_ascii_digit());
    let next = after.trim_start().chars().next();
    after.starts_with([' ', '\n'])
        && next.is_none_or(|c| !c.is_lowercase())
        && !single_letter
        && !ABBREVIATIONS.contains(&word.as_str())
}

/// The nearest character boundary at or before a position.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_a_full_stop_but_not_at_an_abbreviation() {
        let text = "Late bids are rejected. Bids close at 2.30 p.m. on Rs. 5";
        assert_eq!(&text[sentence_start(text, text.len())..], "Bids close at 2.30 p.m. on Rs. 5");
        let text = "ගත හැකිය. රු. 50";
        assert_eq!(&text[sentence_start(text, text.len())..], "රු. 50");
    }
}
