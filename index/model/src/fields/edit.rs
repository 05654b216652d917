//! Editing of a field by a person, who types its value as text.

use super::{EDITABLE, json_at, set_json};
use crate::{tender::Tender, vocabulary::Moment};
use jiff::civil::{Date, DateTime};
use serde_json::Value;

/// Short names of key fields.
const SHORT_NAMES: [(&str, &str); 3] =
    [("organization", "organization.name"), ("closing", "dates.closing"), ("reference", "referenceNo")];
/// The fields that take dates in several formats.
const DATE_FIELDS: [&str; 6] = [
    "dates.published",
    "dates.closing",
    "dates.opening",
    "preBid.at",
    "documentFee.saleFrom",
    "documentFee.saleUntil",
];
/// The formats of a day.
const DAY_FORMATS: [&str; 7] =
    ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%d %B %Y", "%d %b %Y", "%Y.%m.%d"];
/// The formats of a time after a day.
const TIME_FORMATS: [&str; 7] =
    [" %H:%M", "T%H:%M", " %H.%M", " %I:%M %p", " %I.%M %p", " %I:%M%p", " %I.%M%p"];
/// The deepest path that is accepted.
const MAX_DEPTH: usize = 4;

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

/// Sets one field to a value that a reviewer typed, with full confidence. An empty text clears the
/// field. Returns the changed tender and the path of the field.
pub fn with_field(tender: &Tender, field: &str, text: &str) -> Result<(Tender, String), FieldError> {
    let (field, text) = (field.trim(), text.trim());
    let path = SHORT_NAMES.iter().find(|(short, _)| *short == field).map_or(field, |(_, path)| path);
    let unknown = || FieldError::Unknown(path.chars().take(60).collect());
    if !path.split('.').next().is_some_and(|first| EDITABLE.contains(&first))
        || path.split('.').count() > MAX_DEPTH
    {
        return Err(unknown());
    }
    let mut reason = None;
    for value in candidate_values(path, text) {
        let mut json = to_json(tender);
        if set_json(&mut json, path, value.clone()).is_none() {
            return Err(unknown());
        }
        match serde_json::from_value::<Tender>(json) {
            Ok(mut changed) if !json_at(&to_json(&changed), path).is_null() || value.is_null() => {
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

/// The values that a text may stand for at a path, in the order in which they are tried: a date
/// with or without a time in Colombo, the text itself, JSON such as a number, a list or a boolean,
/// and an amount such as `Rs. 50,000.00`.
fn candidate_values(path: &str, text: &str) -> Vec<Value> {
    if text.is_empty() {
        return vec![Value::Null];
    }
    let mut values: Vec<Value> = Vec::new();
    if DATE_FIELDS.contains(&path) {
        values.extend(typed_date(text).map(Value::from));
    }
    values.push(text.into());
    values.extend(serde_json::from_str::<Value>(text).ok().filter(|value| !value.is_string()));
    values.extend(typed_amount(text).map(Value::from));
    values
}

/// A date as people type it, in the form that the fields use.
fn typed_date(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    for day in DAY_FORMATS {
        for time in TIME_FORMATS {
            if let Ok(at) = DateTime::strptime(format!("{day}{time}"), &text) {
                return Moment::in_colombo(at).map(|moment| moment.to_string());
            }
        }
        if let Ok(date) = Date::strptime(day, &text) {
            return Some(date.to_string());
        }
    }
    None
}

/// An amount with separators, a currency before it, or `/-` or `/=` after it.
fn typed_amount(text: &str) -> Option<f64> {
    let text = text.to_uppercase();
    let number =
        ["LKR", "RS.", "RS"].iter().find_map(|currency| text.strip_prefix(currency)).unwrap_or(&text);
    let number = number.trim().trim_end_matches("/=").trim_end_matches("/-").replace([',', ' '], "");
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    number.parse().ok().filter(|_| is_number)
}

fn to_json(tender: &Tender) -> Value {
    serde_json::to_value(tender).unwrap_or_default()
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
        json_at(&to_json(&changed), &path).clone()
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
    fn dates_and_amounts_may_be_typed_as_they_are_printed() {
        for text in ["2027-05-03 14:30", "03.05.2027 2.30 pm", "3/5/2027 14.30", "3 May 2027 2:30 PM"] {
            assert_eq!(value("closing", text), "2027-05-03T14:30:00+05:30", "{text}");
        }
        for text in ["3 May 2027", "03.05.2027", "2027.05.03"] {
            assert_eq!(value("closing", text), "2027-05-03T23:59:59+05:30", "{text}");
        }
        for text in ["50,000", "Rs. 50,000.00", "LKR 50 000/-", "50,000/="] {
            assert_eq!(value("financials.bidBond.amount", text), 50000.0, "{text}");
        }
        assert_eq!(value("title", "03.05.2027"), "03.05.2027");
    }

    proptest! {
        #[test]
        fn random_text_never_panics(field in "[a-zA-Z.]{0,30}", text in any::<String>()) {
            let _ = with_field(&tender(), &field, &text);
        }
    }
}
