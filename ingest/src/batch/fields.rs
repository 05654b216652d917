//! The fields of a tender by their JSON paths, for display and for editing.

use serde::Serialize;
use serde_json::Value;
pub use tender_model::fields::changed_paths;
use tender_model::fields::{EDITABLE, push_leaves};
use tender_model::tender::{Evidence, Tender};

/// Short names of key fields.
const SHORT_NAMES: [(&str, &str); 3] =
    [("organization", "organization.name"), ("closing", "dates.closing"), ("reference", "referenceNo")];
/// The fields shown first, whether they are set or not.
const SHOWN_FIRST: [&str; 4] = crate::extract::KEY_FIELDS;

/// A field as it is shown to a reviewer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The JSON path: `dates.closing`.
    pub field: String,
    /// The value; null if nothing was found.
    pub value: Value,
    /// The confidence, 0 to 1, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The printed words and their box, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Why a field cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The field does not exist or cannot be edited.
    #[error("there is no field `{0}` to edit; the fields are {fields}", fields = EDITABLE.join(", "))]
    Unknown(String),
    /// The value does not fit the field.
    #[error("`{value}` is not a value for {field}: {reason}")]
    Value {
        /// The field.
        field: String,
        /// The given value.
        value: String,
        /// The reason.
        reason: String,
    },
}

/// The key fields, set or not, and then all other fields that are set.
#[must_use]
pub(super) fn fields(tender: &Tender) -> Vec<Field> {
    let json = to_json(tender);
    let mut paths: Vec<String> = SHOWN_FIRST.map(str::to_owned).to_vec();
    for name in EDITABLE {
        if let Some(value) = json.get(name) {
            push_leaves(name, value, &mut paths);
        }
    }
    let field = |path: String| Field {
        value: value_at(&json, &path).cloned().unwrap_or(Value::Null),
        confidence: tender.confidence.get(&path).copied(),
        evidence: tender.evidence.get(&path).cloned(),
        field: path,
    };
    paths.into_iter().map(field).collect()
}

/// Sets one field to a value that a reviewer typed, with full confidence. An empty text clears the
/// field. Returns the changed tender and the path of the field.
pub fn with_field(tender: &Tender, field: &str, text: &str) -> Result<(Tender, String), FieldError> {
    let (field, text) = (field.trim(), text.trim());
    let path = SHORT_NAMES.iter().find(|(short, _)| *short == field).map_or(field, |(_, path)| path);
    let unknown = || FieldError::Unknown(path.chars().take(60).collect());
    if !path.split('.').next().is_some_and(|first| EDITABLE.contains(&first)) || path.split('.').count() > 4 {
        return Err(unknown());
    }
    let mut reason = None;
    for value in candidate_values(text) {
        let mut json = to_json(tender);
        if !set_value(&mut json, path, value.clone()) {
            return Err(unknown());
        }
        match serde_json::from_value::<Tender>(json) {
            Ok(mut changed) if value_at(&self::to_json(&changed), path).is_some() || value.is_null() => {
                changed.full_text_markdown.clone_from(&tender.full_text_markdown);
                if value.is_null() {
                    changed.confidence.remove(path);
                    changed.evidence.remove(path);
                } else {
                    changed.confidence.insert(path.to_owned(), 1.0);
                }
                return Ok((changed, path.to_owned()));
            }
            // If the field is missing after parsing, the tender has no such field.
            Ok(_) => return Err(unknown()),
            Err(error) => reason = reason.or(Some(error.to_string())),
        }
    }
    Err(FieldError::Value {
        field: path.to_owned(),
        value: text.chars().take(60).collect(),
        reason: reason.unwrap_or_default(),
    })
}

/// The values that a text may stand for, in the order in which they are tried. They are a date with
/// a time in Colombo, the text itself, and JSON such as a number, a list or a boolean.
fn candidate_values(text: &str) -> Vec<Value> {
    if text.is_empty() {
        return vec![Value::Null];
    }
    let time = text.replace(' ', "T").parse::<jiff::civil::DateTime>().ok().filter(|_| text.len() > 10);
    let time =
        time.and_then(tender_model::vocabulary::Moment::in_colombo).map(|time| time.to_string().into());
    let mut candidate_values: Vec<Value> = time.into_iter().collect();
    candidate_values.push(text.into());
    candidate_values.extend(serde_json::from_str::<Value>(text).ok().filter(|value| !value.is_string()));
    candidate_values
}

fn to_json(tender: &Tender) -> Value {
    serde_json::to_value(tender).unwrap_or_default()
}

fn value_at<'v>(json: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(json, |value, part| value.get(part))
}

/// Sets the value at a path; null removes it. Returns `false` if a value on the path is not an
/// object.
fn set_value(json: &mut Value, path: &str, value: Value) -> bool {
    let (mut place, mut parts) = (json, path.split('.').peekable());
    while let Some(part) = parts.next() {
        if place.is_null() {
            *place = Value::Object(serde_json::Map::new());
        }
        let Some(fields) = place.as_object_mut() else { return false };
        if parts.peek().is_none() {
            if value.is_null() {
                fields.remove(part);
            } else {
                fields.insert(part.to_owned(), value);
            }
            return true;
        }
        place = fields.entry(part).or_insert(Value::Null);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tender() -> Tender {
        let mut tender =
            Tender { title: "Repair".into(), full_text_markdown: "text".into(), ..Tender::default() };
        tender.confidence.insert("title".into(), 0.4);
        tender
    }

    fn value(field: &str, text: &str) -> Value {
        let (changed, path) = with_field(&tender(), field, text).unwrap();
        assert_eq!(changed.confidence.get(&path).copied(), Some(1.0));
        assert_eq!(changed.full_text_markdown, "text");
        value_at(&to_json(&changed), &path).unwrap().clone()
    }

    #[test]
    fn a_field_is_parsed_by_its_type() {
        assert_eq!(value("title", "2024"), "2024");
        assert_eq!(value("closing", "2027-05-03 14:30"), "2027-05-03T14:30:00+05:30");
        assert_eq!(value("dates.closing", "2027-05-03"), "2027-05-03T23:59:59+05:30");
        assert_eq!(value("financials.bidBond.amount", "50000"), 50000.0);
        assert_eq!(value("financials.bidBond.required", "true"), true);
        assert_eq!(value("documentFee.saleUntil", "2027-05-02"), "2027-05-02");
        assert_eq!(value("organization", "Road Development Authority"), "Road Development Authority");
        assert_eq!(value("tags", r#"["a","b"]"#), serde_json::json!(["a", "b"]));
    }

    #[test]
    fn an_empty_text_clears_a_field() {
        let (changed, _) = with_field(&tender(), "title", " ").unwrap();
        assert_eq!((changed.title.as_str(), changed.confidence.len()), ("", 0));
    }

    #[test]
    fn unknown_fields_and_invalid_values_are_refused() {
        for field in ["titel", "", "confidence.title", "status", "_id", "dates.close", "title.x", "sources"] {
            assert!(matches!(with_field(&tender(), field, "x"), Err(FieldError::Unknown(_))), "{field}");
        }
        for (field, text) in [("closing", "soon"), ("kind", "gift"), ("financials.bidBond.amount", "much")] {
            let refused = with_field(&tender(), field, text).unwrap_err();
            assert!(matches!(refused, FieldError::Value { .. }), "{refused}");
        }
    }

    #[test]
    fn a_changed_field_is_listed_once() {
        let (after, _) = with_field(&tender(), "closing", "2027-05-03").unwrap();
        assert_eq!(changed_paths(&tender(), &after), ["dates.closing"]);
        assert_eq!(fields(&after).iter().filter(|field| field.field == "dates.closing").count(), 1);
    }

    proptest! {
        #[test]
        fn random_text_never_panics(field in "[a-zA-Z.]{0,30}", text in any::<String>()) {
            let _ = with_field(&tender(), &field, &text);
        }
    }
}
