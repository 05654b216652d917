//! How accurately the fields of a notice were read, as its reviewer found out.

use serde::Serialize;
use serde_json::Value;
use strum::{EnumString, IntoStaticStr};
use tender_model::{
    fields::{self, is_empty},
    tender::{FieldState, IS_NOTICE, Tender},
};
use utoipa::ToSchema;

/// The fields that are measured, by their paths.
pub const CHECKED_FIELDS: [&str; 14] = [
    "title",
    "organization.name",
    "organization.contactPerson.phone",
    "referenceNo",
    "kind",
    "category",
    "location.district",
    "location.city",
    "dates.closing",
    "dates.opening",
    "preBid.at",
    "financials.bidBond.amount",
    "documentFee.amount",
    "cida",
];

/// How a field was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum CheckOutcome {
    /// The read value is right.
    Right,
    /// Another value is printed, or none.
    Wrong,
    /// Nothing was read, although a value is printed.
    Missed,
}

/// How one field of a notice was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldCheck {
    /// The path of the field. `notice`: whether the text is a tender notice.
    pub field: &'static str,
    /// How the readers had marked the field.
    pub state: FieldState,
    /// How it was read.
    pub outcome: CheckOutcome,
}

/// The fields of one kind in a week.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldAccuracy {
    /// Right values.
    pub right: i64,
    /// Wrong values.
    pub wrong: i64,
    /// Printed values that were not read.
    pub missed: i64,
    /// Values that were marked as certain, out of the right and wrong ones.
    pub certain: i64,
    /// Wrong values that were marked as certain.
    pub certain_wrong: i64,
}

fn state_of(read: &Tender, field: &str) -> FieldState {
    let states = read.field_states.as_ref();
    states.and_then(|states| states.get(field)).copied().unwrap_or(FieldState::Certain)
}

/// How the fields were read that a reviewer has checked. A field that is neither read nor printed is
/// left out.
#[must_use]
pub fn compare(read: &Tender, checked: &Tender) -> Vec<FieldCheck> {
    let json = |tender: &Tender| serde_json::to_value(tender).unwrap_or_default();
    let (was, is) = (json(read), json(checked));
    let value = |record: &'_ Value, field: &str| {
        Some(fields::json_at(record, field).clone()).filter(|value| !is_empty(value))
    };
    let mut checks =
        vec![FieldCheck { field: IS_NOTICE, state: state_of(read, IS_NOTICE), outcome: CheckOutcome::Right }];
    for field in CHECKED_FIELDS {
        let state = state_of(read, field);
        let outcome = match (value(&was, field), value(&is, field)) {
            (None, None) => continue,
            (old, new) if state == FieldState::NotRead => {
                // The portal composes a title that was not read.
                if old == new || new.is_none() {
                    continue;
                }
                CheckOutcome::Missed
            }
            (None, Some(_)) => CheckOutcome::Missed,
            (old, new) if old == new => CheckOutcome::Right,
            (Some(_), _) => CheckOutcome::Wrong,
        };
        checks.push(FieldCheck { field, state, outcome });
    }
    checks
}

/// The check of a text that was rejected because it is no tender notice.
#[must_use]
pub fn no_notice(read: &Tender) -> Vec<FieldCheck> {
    vec![FieldCheck { field: IS_NOTICE, state: state_of(read, IS_NOTICE), outcome: CheckOutcome::Wrong }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::tender::FieldStates;

    #[test]
    fn fields_are_right_wrong_or_missed() {
        let mut read = Tender { title: "Chairs".to_owned(), ..Tender::default() };
        read.organization.name = "Kandy Council".to_owned();
        read.reference_no = Some("K/1".to_owned());
        read.field_states = Some(FieldStates::from([
            ("title".to_owned(), FieldState::NotRead),
            ("referenceNo".to_owned(), FieldState::Doubtful),
        ]));
        let mut checked = Tender { reference_no: Some("K/7".to_owned()), ..read.clone() };
        checked.location.city = Some("Gampola".to_owned());
        let found = |checked: &Tender| {
            let of = |check: FieldCheck| (check.field, check.state, check.outcome);
            compare(&read, checked).into_iter().map(of).collect::<Vec<_>>()
        };
        let mut expected = vec![
            (IS_NOTICE, FieldState::Certain, CheckOutcome::Right),
            ("organization.name", FieldState::Certain, CheckOutcome::Right),
            ("referenceNo", FieldState::Doubtful, CheckOutcome::Wrong),
            ("kind", FieldState::Certain, CheckOutcome::Right),
            ("location.city", FieldState::Certain, CheckOutcome::Missed),
        ];
        assert_eq!(found(&checked), expected, "the composed title is right, but was not read");
        checked.title = "Office chairs".to_owned();
        expected.insert(1, ("title", FieldState::NotRead, CheckOutcome::Missed));
        assert_eq!(found(&checked), expected);
    }
}
