//! Helpers for the readings and the print date of a notice.

use crate::{
    tender::{FieldState, Tender},
    vocabulary::Day,
};

/// A value with lower confidence counts as unknown, so that another reading may replace it.
pub(super) const DOUBTFUL_BELOW: f64 = 0.6;

/// The day a notice was printed: the date of the issue, or else the publication date that the
/// notice states.
pub(super) fn printed_day(notice: &Tender) -> Option<Day> {
    let issue = notice.sources.first().and_then(|source| source.date);
    issue.or_else(|| notice.dates.published.map(|moment| moment.day()))
}

/// Whether a field was read with low confidence.
pub(super) fn is_doubtful(tender: &Tender, path: &str) -> bool {
    tender.confidence.get(path).is_some_and(|confidence| *confidence < DOUBTFUL_BELOW)
}

/// Copies confidence, state, evidence and alternative readings of a field. Areas refer to the page
/// of the tender's first source, so the areas of the notice are dropped.
pub(super) fn take_reading(tender: &mut Tender, notice: &Tender, path: &str) {
    tender.confidence.remove(path);
    tender.evidence.remove(path);
    tender.other_readings.remove(path);
    if let Some(states) = &mut tender.field_states {
        states.remove(path);
        match notice.field_state(path) {
            FieldState::Certain => {}
            state => drop(states.insert(path.to_owned(), state)),
        }
    }
    if let Some(others) = notice.other_readings.get(path) {
        let mut others = others.clone();
        others
            .iter_mut()
            .filter_map(|other| other.evidence.as_mut())
            .for_each(|evidence| evidence.area = None);
        tender.other_readings.insert(path.to_owned(), others);
    }
    if let Some(sure) = notice.confidence.get(path) {
        tender.confidence.insert(path.to_owned(), *sure);
    }
    if let Some(evidence) = notice.evidence.get(path) {
        let mut evidence = evidence.clone();
        evidence.area = None;
        tender.evidence.insert(path.to_owned(), evidence);
    }
}
