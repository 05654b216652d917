//! Recognises former and new dates by phrases such as `extended from 3 March to 17 March 2027`,
//! `instead of` and `will now close on`. The rules in `date_purposes` decide which deadline is
//! meant.

use super::{
    cues::{floor_char_boundary, sentence_start},
    dates::PrintedDate,
    pattern::patterns,
};
use crate::extract::printed::Printed;

/// Whether a date is former or new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateStatus {
    /// The date is no longer valid.
    Former,
    /// The date is valid now.
    New,
}

patterns! {
    FORMER_BEFORE = r"\b(?:(?:extended|postponed|changed|revised|re-?scheduled|shifted|amended|deferred|put off|brought forward|advanced)\s(?:\w+\s){0,3}?from|instead of|in place of|in lieu of|(?:given|stated|mentioned|published|notified|indicated|printed|announced|fixed|shown|scheduled)\s(?:\w+\s){0,4}?(?:as|for)|(?:was|were) (?:due|scheduled|to (?:be )?clos\w+))\b[^;]{0,80}$|\b(?:earlier|previous(?:ly)?|original(?:ly)?)\b[^;]{0,40}$";
    FORMER_AFTER = r"^[\s,)]*(?:[^.;]{0,60}?\s)?(?:has|have|is|are|was|were|stands?)\s(?:(?:now|hereby|also|been|further|being)\s){0,3}(?:extended|postponed|changed|revised|re-?scheduled|shifted|amended|deferred|put off|replaced)\b|^\W{0,3}(?:should |shall |to |please )?(?:be )?read\b";
    NEW_BEFORE = r"(?:\b(?:extended|postponed|changed|revised|re-?scheduled|shifted|amended|deferred|put off|replaced)\b[^;]{0,60}?\b(?:to|until|till|up\s?to|as|by)|\b(?:will|shall|should|is|are)\s(?:be\s)?now\b|\bnow (?:be |close|fixed|due)|\b(?:be\s)?read(?: as)?|\b(?:new|revised|amended|extended)\s[^;]{0,30}?\b(?:closing|deadline|date)\b)[^;]{0,60}$";
    // The text between the former and the new date: `from … to …`, `… වෙනුවට …`.
    TO = r"^[\s,]*(?:hrs|hours)?[\s,]*(?:up\s?)?(?:to|until|till)\b[^.;]{0,30}$";
    // In Sinhala and Tamil, the verb at the end of the sentence announces the change.
    CHANGES = r"பிற்போட|දීර්ඝ|වෙනුවට|සංශෝධන|කල් ?(?:දැම|දමා|තබ)|වෙනස් ක|நீடி|நீட்டி|பதிலாக|மாற்ற|ஒத்திவை";
    STOP = r"[.;]\s|\n\n";
}

/// The former and the new date are fewer than this many bytes apart.
const MAX_PAIR_GAP: usize = 220;

/// The status of each date; `None` if the text announces no change of the date.
pub(crate) fn date_statuses(
    printed: &Printed,
    dates: &[PrintedDate],
    is_corrigendum: bool,
) -> Vec<Option<DateStatus>> {
    let text = printed.flow();
    let mut date_statuses: Vec<Option<DateStatus>> = Vec::with_capacity(dates.len());
    for (nth, dated) in dates.iter().enumerate() {
        let (start, end) = (dated.with_time.start, dated.with_time.end);
        let last =
            nth.checked_sub(1).and_then(|last| dates.get(last)).filter(|last| last.with_time.end <= start);
        let from = sentence_start(text, start).max(last.map_or(0, |last| last.with_time.end)).min(start);
        let lead = &text[from..start];
        let next = dates.get(nth + 1).filter(|next| next.with_time.start >= end);
        let gap = next.map(|next| &text[end..next.with_time.start]);
        let is_close = |gap: &str| gap.len() < MAX_PAIR_GAP && !STOP.is_match(gap);
        // The text after the date says that the date was changed, and a new date follows in the
        // sentence.
        let changed = gap.is_some_and(|gap| FORMER_AFTER.is_match(gap) && is_close(gap));
        let after_former = date_statuses.last() == Some(&Some(DateStatus::Former))
            && last.is_some_and(|last| {
                let gap = &text[last.with_time.end..start];
                // A former date may also be the first date of its sentence:
                // `In place of 3 March, bids are accepted up to 17 March.`
                let opens = dates[..nth - 1]
                    .iter()
                    .all(|other| other.with_time.end <= sentence_start(text, last.with_time.start));
                TO.is_match(gap) || opens && is_close(gap)
            });
        date_statuses.push(if after_former {
            Some(DateStatus::New)
        } else if changed || FORMER_BEFORE.is_match(lead) {
            Some(DateStatus::Former)
        } else if NEW_BEFORE.is_match(lead) {
            Some(DateStatus::New)
        } else {
            None
        });
    }
    mark_changed_pairs(text, dates, &mut date_statuses);
    if is_corrigendum {
        mark_table_pairs(printed.text(), dates, &mut date_statuses);
    }
    date_statuses
}

/// Marks two dates in separate cells of a table row, if the second date is later and no third date
/// follows in the row. The first is the former date and the second is the new date.
fn mark_table_pairs(text: &str, dates: &[PrintedDate], date_statuses: &mut [Option<DateStatus>]) {
    for (nth, pair) in dates.windows(2).enumerate() {
        let [old, new] = pair else { continue };
        let Some(gap) = text.get(old.range.end..new.range.start) else { continue };
        let shares_row =
            |with: &PrintedDate, gap: &str| gap.contains('\t') && !gap.contains('\n') && with.day != old.day;
        let third = dates.get(nth + 2).is_some_and(|third| {
            text.get(new.range.end..third.range.start).is_some_and(|gap| !gap.contains('\n'))
        });
        if shares_row(new, gap) && !third && new.day > old.day {
            date_statuses[nth] = Some(DateStatus::Former);
            date_statuses[nth + 1] = Some(DateStatus::New);
        }
    }
}

/// Marks the only two dates of a Sinhala or Tamil sentence with a verb of change. The first is the
/// former date and the second is the new date.
fn mark_changed_pairs(text: &str, dates: &[PrintedDate], date_statuses: &mut [Option<DateStatus>]) {
    for (nth, pair) in dates.windows(2).enumerate() {
        let [old, new] = pair else { continue };
        let is_pair = new.with_time.start >= old.with_time.end
            && new.with_time.start - old.with_time.end < MAX_PAIR_GAP
            && !text[old.with_time.end..new.with_time.start].contains("\n\n");
        let start = sentence_start(text, old.with_time.start);
        let rest = &text[new.with_time.end..floor_char_boundary(text, new.with_time.end + MAX_PAIR_GAP)];
        let end = new.with_time.end + STOP.find(rest).map_or(rest.len(), |stop| stop.start());
        let alone = dates.iter().filter(|dated| (start..end).contains(&dated.with_time.start)).count() == 2;
        if is_pair && alone && CHANGES.is_match(&text[old.with_time.end..end]) {
            date_statuses[nth] = Some(DateStatus::Former);
            date_statuses[nth + 1] = Some(DateStatus::New);
        }
    }
}
