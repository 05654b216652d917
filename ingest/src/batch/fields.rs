//! A tender's fields by their paths in JSON: listed for a person to look at, and written by a person.

use index::tender::{Evidence, Tender};
use serde::Serialize;
use serde_json::Value;
pub use tender_model::fields::differing;
use tender_model::fields::{EDITABLE, push_leaves};

/// What a person would call the key fields.
const SHORT: [(&str, &str); 3] =
    [("organization", "organization.name"), ("closing", "dates.closing"), ("reference", "referenceNo")];
/// Looked at first, whether they were found or not.
const FIRST: [&str; 4] = crate::extract::KEY_FIELDS;

/// A field as a person looks at it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Its path in JSON: `dates.closing`.
    pub field: String,
    /// Its value; null where nothing was found.
    pub value: Value,
    /// How sure its reader is, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The words it was read from, and where they stand on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Why a field cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// It is none of a person's.
    #[error("there is no field `{0}` to edit; the fields are {fields}", fields = EDITABLE.join(", "))]
    Unknown(String),
    /// The value is none of the field's.
    #[error("`{value}` is no value for {field}: {reason}")]
    Value {
        /// The field.
        field: String,
        /// What was given.
        value: String,
        /// Why not.
        reason: String,
    },
}

/// All fields that are set, the key fields first.
#[must_use]
pub(super) fn fields(tender: &Tender) -> Vec<Field> {
    let json = json(tender);
    let mut paths: Vec<String> = FIRST.map(str::to_owned).to_vec();
    for name in EDITABLE {
        if let Some(value) = json.get(name) {
            push_leaves(name, value, &mut paths);
        }
    }
    let field = |path: String| Field {
        value: at(&json, &path).cloned().unwrap_or(Value::Null),
        confidence: tender.confidence.get(&path).copied(),
        evidence: tender.evidence.get(&path).cloned(),
        field: path,
    };
    paths.into_iter().map(field).collect()
}

/// The tender with one field written by a person, who is sure of it, and the field's path. Nothing written empties the
/// field.
///
/// # Errors
/// See [`FieldError`].
pub fn written(tender: &Tender, field: &str, text: &str) -> Result<(Tender, String), FieldError> {
    let (field, text) = (field.trim(), text.trim());
    let path = SHORT.iter().find(|(short, _)| *short == field).map_or(field, |(_, path)| path);
    let unknown = || FieldError::Unknown(path.chars().take(60).collect());
    if !path.split('.').next().is_some_and(|first| EDITABLE.contains(&first)) || path.split('.').count() > 4 {
        return Err(unknown());
    }
    let mut reason = None;
    for value in readings(text) {
        let mut json = json(tender);
        if !set(&mut json, path, value.clone()) {
            return Err(unknown());
        }
        match serde_json::from_value::<Tender>(json) {
            Ok(mut changed) if at(&self::json(&changed), path).is_some() || value.is_null() => {
                changed.full_text_markdown.clone_from(&tender.full_text_markdown);
                if value.is_null() {
                    changed.confidence.remove(path);
                    changed.evidence.remove(path);
                } else {
                    changed.confidence.insert(path.to_owned(), 1.0);
                }
                return Ok((changed, path.to_owned()));
            }
            // What comes out without the field never had it.
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

/// What a text may mean: itself, a time of day in Colombo, or a number, a list or a truth value as JSON.
fn readings(text: &str) -> Vec<Value> {
    if text.is_empty() {
        return vec![Value::Null];
    }
    let time = text.replace(' ', "T").parse::<jiff::civil::DateTime>().ok().filter(|_| text.len() > 10);
    let time = time.and_then(index::vocabulary::Moment::in_colombo).map(|time| time.to_string().into());
    let mut readings: Vec<Value> = time.into_iter().collect();
    readings.push(text.into());
    readings.extend(serde_json::from_str::<Value>(text).ok().filter(|value| !value.is_string()));
    readings
}

fn json(tender: &Tender) -> Value {
    serde_json::to_value(tender).unwrap_or_default()
}

fn at<'v>(json: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(json, |value, part| value.get(part))
}

/// Writes a value; `false` where the path leads through something that has no fields.
fn set(json: &mut Value, path: &str, value: Value) -> bool {
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
        let (changed, path) = written(&tender(), field, text).unwrap();
        assert_eq!(changed.confidence.get(&path).copied(), Some(1.0));
        assert_eq!(changed.full_text_markdown, "text");
        at(&json(&changed), &path).unwrap().clone()
    }

    #[test]
    fn a_field_is_written_as_its_type_asks() {
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
    fn nothing_written_empties_a_field() {
        let (changed, _) = written(&tender(), "title", " ").unwrap();
        assert_eq!((changed.title.as_str(), changed.confidence.len()), ("", 0));
    }

    #[test]
    fn what_is_no_field_or_no_value_is_refused() {
        for field in ["titel", "", "confidence.title", "status", "_id", "dates.close", "title.x", "sources"] {
            assert!(matches!(written(&tender(), field, "x"), Err(FieldError::Unknown(_))), "{field}");
        }
        for (field, text) in [("closing", "soon"), ("kind", "gift"), ("financials.bidBond.amount", "much")] {
            let refused = written(&tender(), field, text).unwrap_err();
            assert!(matches!(refused, FieldError::Value { .. }), "{refused}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let (after, _) = written(&tender(), "closing", "2027-05-03").unwrap();
        assert_eq!(differing(&tender(), &after), ["dates.closing"]);
        assert_eq!(fields(&after).iter().filter(|field| field.field == "dates.closing").count(), 1);
    }

    proptest! {
        #[test]
        fn rubbish_never_panics(field in "[a-zA-Z.]{0,30}", text in any::<String>()) {
            let _ = written(&tender(), &field, &text);
        }
    }
}
