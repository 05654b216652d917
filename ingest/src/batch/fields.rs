//! The fields of a tender by their JSON paths, for display.

use serde::Serialize;
use serde_json::Value;
use std::fmt;
use tender_model::fields::{EDITABLE, json_at, push_leaves};
pub use tender_model::fields::{FieldError, changed_paths, with_field};
use tender_model::{
    tender::{Evidence, Tender},
    terminal_text::single_line,
};

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

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, confidence, evidence } = self;
        let value = match value {
            Value::Null => "—".to_owned(),
            Value::String(text) => single_line(text),
            other => single_line(&other.to_string()),
        };
        let confidence = confidence.map(|share| format!("{share:.2}")).unwrap_or_default();
        writeln!(out, "  {field:<32} {confidence:>4}  {value}")?;
        if let Some(evidence) = evidence {
            write!(out, "  {:<32}       “{}”", "", single_line(&evidence.text.replace('\n', " ")))?;
            match evidence.area {
                Some([x, y, width, height]) => writeln!(out, " at {x:.3},{y:.3} {width:.3}x{height:.3}")?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }
}

/// The key fields, set or not, and then all other fields that are set.
#[must_use]
pub fn fields(tender: &Tender) -> Vec<Field> {
    let json = serde_json::to_value(tender).unwrap_or_default();
    let mut paths: Vec<String> = SHOWN_FIRST.map(str::to_owned).to_vec();
    for name in EDITABLE {
        if let Some(value) = json.get(name) {
            push_leaves(name, value, &mut paths);
        }
    }
    let field = |path: String| Field {
        value: json_at(&json, &path).clone(),
        confidence: tender.confidence.get(&path).copied(),
        evidence: tender.evidence.get(&path).cloned(),
        field: path,
    };
    paths.into_iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_field_is_listed_once() {
        let before = Tender { title: "Repair".into(), ..Tender::default() };
        let (after, _) = with_field(&before, "closing", "2027-05-03").unwrap();
        assert_eq!(changed_paths(&before, &after), ["dates.closing"]);
        assert_eq!(fields(&after).iter().filter(|field| field.field == "dates.closing").count(), 1);
    }
}
