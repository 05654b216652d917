//! Compares the confidences of a notice with a threshold. The result says which fields are
//! doubtful or missing, and whether the block is doubtful as a notice.

use tender_model::{
    tender::{CLOSING, FieldState, FieldStates, IS_NOTICE, Tender},
    vocabulary::Kind,
};

/// The fields that a subscriber needs. A missing reference is not reported, because not every
/// notice prints one.
pub const KEY_FIELDS: [&str; 4] = [TITLE, ORGANIZATION, CLOSING, "referenceNo"];

const TITLE: &str = "title";
const ORGANIZATION: &str = "organization.name";

/// The kinds of notices that need not print a closing.
const KINDS_WITHOUT_CLOSING: [Kind; 2] = [Kind::Corrigendum, Kind::Award];

/// Whether a title was read. A fallback title, which replaces an unread title, has no confidence.
#[must_use]
pub fn has_title(tender: &Tender) -> bool {
    !tender.title.is_empty() && tender.confidence.contains_key(TITLE)
}

/// The states of the fields that are not certain, by path. A field whose confidence is below the
/// threshold is doubtful. [`IS_NOTICE`] stands for the confidence that the block is a notice. A
/// missing title, organisation or closing is [`FieldState::NotRead`]. A corrigendum or an award
/// needs no closing. If the threshold is 0, the map is empty.
#[must_use]
pub fn field_states(tender: &Tender, threshold: f64) -> FieldStates {
    if threshold <= 0.0 {
        return FieldStates::new();
    }
    let below = tender.confidence.iter().filter(|(_, confidence)| **confidence < threshold);
    let mut states: FieldStates = below.map(|(path, _)| (path.clone(), FieldState::Doubtful)).collect();
    let unread = KEY_FIELDS.into_iter().filter(|field| is_missing(tender, field));
    states.extend(unread.map(|field| (field.to_owned(), FieldState::NotRead)));
    states
}

/// Whether the confidence that the block is a notice is below the threshold.
#[must_use]
pub fn is_doubted_as_notice(tender: &Tender, threshold: f64) -> bool {
    tender.confidence.get(IS_NOTICE).is_some_and(|confidence| *confidence < threshold)
}

/// The key fields that are not certain, each with `missing` or `doubtful`. If the block is
/// doubtful as a notice, [`IS_NOTICE`] comes first. If the threshold is 0, the list is empty.
#[must_use]
pub fn doubts(tender: &Tender, threshold: f64) -> Vec<(&'static str, &'static str)> {
    let states = field_states(tender, threshold);
    let paths = [IS_NOTICE].into_iter().chain(KEY_FIELDS);
    let uncertain = paths.filter_map(|path| Some((path, states.get(path)?)));
    uncertain
        .filter_map(|(path, state)| match state {
            FieldState::Certain => None,
            FieldState::Doubtful => Some((path, "doubtful")),
            FieldState::NotRead => Some((path, "missing")),
        })
        .collect()
}

fn is_missing(tender: &Tender, field: &str) -> bool {
    match field {
        TITLE => !has_title(tender),
        ORGANIZATION => tender.organization.name.is_empty(),
        CLOSING => tender.dates.closing.is_none() && !KINDS_WITHOUT_CLOSING.contains(&tender.kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FieldState::{Doubtful, NotRead};

    fn tender() -> Tender {
        let mut tender = Tender { title: "Repair of roads".into(), ..Tender::default() };
        tender.organization.name = "Galle Municipal Council".into();
        tender.dates.closing = "2027-03-04T14:00:00+05:30".parse().ok();
        let confidence = [("title", 0.9), ("organization.name", 0.79), ("location.district", 0.5)];
        tender.confidence = confidence.map(|(path, sure)| (path.to_owned(), sure)).into();
        tender
    }

    fn states<const N: usize>(expected: [(&str, FieldState); N]) -> FieldStates {
        expected.map(|(path, state)| (path.to_owned(), state)).into()
    }

    #[test]
    fn every_field_below_the_threshold_is_doubtful() {
        let expected = states([("organization.name", Doubtful), ("location.district", Doubtful)]);
        assert_eq!(field_states(&tender(), 0.8), expected);
        assert_eq!(field_states(&tender(), 0.0), FieldStates::new());
        assert_eq!(doubts(&tender(), 0.8), [("organization.name", "doubtful")]);
    }

    #[test]
    fn missing_key_fields_count_as_not_read() {
        let mut tender = tender();
        tender.confidence.remove("title");
        tender.organization.name.clear();
        tender.dates.closing = None;
        tender.confidence.retain(|path, _| path == "location.district");
        let unread = [("title", NotRead), ("organization.name", NotRead), ("dates.closing", NotRead)];
        let mut expected = states(unread);
        expected.insert("location.district".into(), Doubtful);
        assert_eq!(field_states(&tender, 0.8), expected);
        tender.kind = Kind::Corrigendum;
        expected.remove("dates.closing");
        assert_eq!(field_states(&tender, 0.8), expected, "a corrigendum need not print a closing");
        assert_eq!(field_states(&tender, 0.0), FieldStates::new());
    }

    #[test]
    fn a_block_that_may_not_be_a_notice_is_doubtful() {
        let mut tender = tender();
        tender.confidence.insert("organization.name".into(), 0.9);
        assert!(!is_doubted_as_notice(&tender, 0.8));
        tender.confidence.insert(IS_NOTICE.into(), 0.6);
        assert!(is_doubted_as_notice(&tender, 0.8) && !is_doubted_as_notice(&tender, 0.5));
        assert_eq!(doubts(&tender, 0.8), [(IS_NOTICE, "doubtful")]);
        assert_eq!(field_states(&tender, 0.8).get(IS_NOTICE), Some(&Doubtful));
    }
}
