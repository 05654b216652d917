//! How each field was read: certain, doubtful or not read, and what other readers made of the same words.

use super::{Evidence, Tender};
use crate::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The confidence from which a field counts as certain where a record does not list its states: records written before
/// [`Tender::field_states`] existed.
pub const CONFIDENCE_LINE: f64 = 0.8;

/// The path of the doubt whether a block is a tender notice at all. It stands in [`Tender::confidence`] and
/// [`Tender::field_states`] beside the fields.
pub const IS_NOTICE: &str = "notice";

/// The path of the closing.
pub const CLOSING: &str = "dates.closing";

/// The fields without which a reader can't use a tender. A reference counts only where one is printed.
pub const KEY_FIELDS: [&str; 4] = ["title", "organization.name", CLOSING, "referenceNo"];

/// How surely a field is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldState {
    /// Read at or above the confidence line, or entered by a person.
    Certain,
    /// Read below the confidence line: shown as read, marked, with the printed words.
    Doubtful,
    /// Not read. A title then names the kind of notice and the organisation.
    NotRead,
}

/// The states of a tender's fields by their paths in JSON. Fields that are certain are left out.
pub type FieldStates = BTreeMap<String, FieldState>;

/// Another value that some reader proposed for a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherReading {
    /// The value, as the field itself would hold it.
    #[schema(value_type = Value)]
    pub value: serde_json::Value,
    /// Who read it: `rules`, `classifier` or a model's name.
    pub reader: String,
    /// How sure that reader is, 0 to 1.
    pub confidence: f64,
    /// The printed words it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

impl Tender {
    /// How surely the field at a path is known. Records without `fieldStates` are judged by [`CONFIDENCE_LINE`].
    #[must_use]
    pub fn field_state(&self, path: &str) -> FieldState {
        match &self.field_states {
            Some(states) => states.get(path).copied().unwrap_or(FieldState::Certain),
            None => match self.confidence.get(path) {
                Some(confidence) if *confidence < CONFIDENCE_LINE => FieldState::Doubtful,
                _ => FieldState::Certain,
            },
        }
    }

    /// Whether the field at a path is doubtful or was not read.
    #[must_use]
    pub fn is_uncertain(&self, path: &str) -> bool {
        self.field_state(path) != FieldState::Certain
    }

    /// The fields that are not certain, by path. Records without `fieldStates` are judged by [`CONFIDENCE_LINE`].
    #[must_use]
    pub fn uncertain_fields(&self) -> FieldStates {
        match &self.field_states {
            Some(states) => states.clone(),
            None => {
                let doubtful =
                    self.confidence.iter().filter(|(_, confidence)| **confidence < CONFIDENCE_LINE);
                doubtful.map(|(path, _)| (path.clone(), FieldState::Doubtful)).collect()
            }
        }
    }

    /// Lists the states of the fields in the record, where it did not list them.
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

    /// Makes the field at a path, and what lies within it, certain: its owner has entered it.
    pub fn settle(&mut self, path: &str) {
        let is_within = |other: &str| {
            other.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.confidence.retain(|other, _| !is_within(other));
        self.other_readings.retain(|other, _| !is_within(other));
        if let Some(states) = &mut self.field_states {
            states.retain(|other, _| !is_within(other));
        }
    }

    /// Makes every field certain, as a person has looked at all of them. What other readers proposed goes.
    pub fn settle_all(&mut self) {
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

    /// The earliest closing that any reader proposed, where it is earlier than the closing shown: a reminder goes by it.
    /// `None` where the closing is certain or no earlier one was proposed.
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
    fn listed_states_decide_whatever_the_confidences_are() {
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
