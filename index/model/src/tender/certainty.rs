//! How certain a tender's fields are: reading and changing their states.

use super::{
    reading::{CLOSING, CONFIDENCE_THRESHOLD, FieldState, FieldStates, IS_NOTICE, KEY_FIELDS},
    record::Tender,
};
use crate::vocabulary::{Day, Moment};

impl Tender {
    /// The state of the field at a path. Records without `fieldStates` are judged by
    /// [`CONFIDENCE_THRESHOLD`].
    #[must_use]
    pub fn field_state(&self, path: &str) -> FieldState {
        match &self.field_states {
            Some(states) => states.get(path).copied().unwrap_or(FieldState::Certain),
            None => match self.confidence.get(path) {
                Some(confidence) if *confidence < CONFIDENCE_THRESHOLD => FieldState::Doubtful,
                _ => FieldState::Certain,
            },
        }
    }

    /// Whether the field at a path is doubtful or was not read.
    #[must_use]
    pub fn is_uncertain(&self, path: &str) -> bool {
        self.field_state(path) != FieldState::Certain
    }

    /// Whether a field was read with certainty, with all its parts and all that it is a part of. Whatever
    /// judges or counts a field asks this.
    #[must_use]
    pub fn is_certain(&self, path: &str) -> bool {
        let is_part = |part: &str, whole: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        !self.uncertain_fields().keys().any(|field| is_part(field, path) || is_part(path, field))
    }

    /// The last day on which the documents are sold, if it is certain.
    #[must_use]
    pub fn certain_sale_end(&self) -> Option<Day> {
        let last = self.document_fee.as_ref().and_then(|fee| fee.sale_until);
        last.filter(|_| !self.is_uncertain("documentFee.saleUntil"))
    }

    /// The fields that are not certain. Records without `fieldStates` are judged by
    /// [`CONFIDENCE_THRESHOLD`].
    #[must_use]
    pub fn uncertain_fields(&self) -> FieldStates {
        match &self.field_states {
            Some(states) => states.clone(),
            None => {
                let doubtful =
                    self.confidence.iter().filter(|(_, confidence)| **confidence < CONFIDENCE_THRESHOLD);
                doubtful.map(|(path, _)| (path.clone(), FieldState::Doubtful)).collect()
            }
        }
    }

    /// Fills in `field_states` if the record does not list them.
    pub fn list_field_states(&mut self) {
        if self.field_states.is_none() {
            self.field_states = Some(self.uncertain_fields());
        }
    }

    /// Whether a key field is doubtful or was not read.
    #[must_use]
    pub fn has_uncertain_key_field(&self) -> bool {
        KEY_FIELDS.iter().any(|path| self.is_uncertain(path))
    }

    /// Marks the field at a path, and everything inside it, as certain, because the tender's owner
    /// entered the value.
    pub fn mark_certain(&mut self, path: &str) {
        let is_within = |other: &str| {
            other.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.confidence.retain(|other, _| !is_within(other));
        self.other_readings.retain(|other, _| !is_within(other));
        if let Some(states) = &mut self.field_states {
            states.retain(|other, _| !is_within(other));
        }
    }

    /// Marks every field as certain and drops alternative readings, because a person has checked
    /// them all.
    pub fn mark_all_certain(&mut self) {
        let uncertain = self.uncertain_fields();
        for (path, confidence) in &mut self.confidence {
            if uncertain.contains_key(path) {
                *confidence = 1.0;
            }
        }
        self.confidence.remove(IS_NOTICE);
        self.field_states = Some(FieldStates::new());
        self.other_readings.clear();
        self.needs_review = false;
    }

    /// The earliest proposed closing date that is earlier than the shown one. `None` if the closing
    /// date is certain or no earlier date was proposed.
    #[must_use]
    pub fn earlier_closing(&self) -> Option<Moment> {
        let shown = self.dates.closing?;
        if !self.is_uncertain(CLOSING) {
            return None;
        }
        let others = self.other_readings.get(CLOSING).into_iter().flatten();
        let others = others.filter_map(|other| serde_json::from_value::<Moment>(other.value.clone()).ok());
        others.filter(|other| *other < shown).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tender::reading::OtherReading;
    use serde_json::json;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    fn other(value: &str) -> OtherReading {
        OtherReading { value: json!(value), reader: "classifier".into(), confidence: 0.6, evidence: None }
    }

    #[test]
    fn a_record_without_states_is_judged_by_its_confidences() {
        let old: Tender =
            serde_json::from_value(json!({"title": "T", "confidence": {"title": 0.79, "referenceNo": 0.8}}))
                .unwrap();
        assert_eq!(old.field_state("title"), FieldState::Doubtful);
        assert_eq!(old.field_state("referenceNo"), FieldState::Certain);
        assert_eq!(old.field_state(CLOSING), FieldState::Certain);
        assert_eq!(old.uncertain_fields(), FieldStates::from([("title".into(), FieldState::Doubtful)]));
    }

    #[test]
    fn listed_states_take_precedence_over_confidences() {
        let tender: Tender = serde_json::from_value(json!({
            "title": "T", "confidence": {"title": 0.5}, "fieldStates": {"dates.closing": "not-read"},
        }))
        .unwrap();
        assert_eq!(tender.field_state("title"), FieldState::Certain);
        assert_eq!(tender.field_state(CLOSING), FieldState::NotRead);
        let again: Tender = serde_json::from_value(serde_json::to_value(&tender).unwrap()).unwrap();
        assert_eq!(again, tender);
    }

    #[test]
    fn a_field_is_as_certain_as_its_parts_and_what_it_is_a_part_of() {
        let doubtful = |path: &str| Tender {
            field_states: Some([(path.to_owned(), FieldState::Doubtful)].into()),
            ..Tender::default()
        };
        assert!(!doubtful("financials.bidBond.amount").is_certain("financials.bidBond"));
        assert!(!doubtful("financials").is_certain("financials.bidBond"));
        assert!(!doubtful("financials.bidBond").is_certain("financials.bidBond"));
        assert!(doubtful("financials.bidBondOther").is_certain("financials.bidBond"));
        assert!(doubtful("title").is_certain("financials.bidBond"));
    }

    #[test]
    fn an_earlier_closing_counts_only_while_the_closing_is_doubtful() {
        let mut tender = Tender::default();
        tender.dates.closing = Some(moment("2026-12-15T14:00:00+05:30"));
        tender.other_readings.insert(
            CLOSING.into(),
            vec![other("2026-12-05T14:00:00+05:30"), other("2026-12-25T14:00:00+05:30"), other("rubbish")],
        );
        assert_eq!(tender.earlier_closing(), None);
        tender.field_states = Some([(CLOSING.to_owned(), FieldState::Doubtful)].into());
        assert_eq!(tender.earlier_closing(), Some(moment("2026-12-05T14:00:00+05:30")));
        tender.dates.closing = Some(moment("2026-12-01T14:00:00+05:30"));
        assert_eq!(tender.earlier_closing(), None);
    }
}
