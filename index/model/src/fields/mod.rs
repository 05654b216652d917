//! Access to a tender's fields by their JSON paths, as in `confidence`, `evidence` and `changes`.

mod edit;

pub use edit::{FieldError, with_field};

use crate::tender::Tender;
use serde_json::{Map, Value};

/// The top-level fields of a notice or tender that a person may edit.
pub const EDITABLE: [&str; 22] = [
    "title",
    "description",
    "category",
    "subcategory",
    "referenceNo",
    "kind",
    "language",
    "sourceUrl",
    "sourcePage",
    "tags",
    "priority",
    "organization",
    "financials",
    "location",
    "dates",
    "eligibility",
    "method",
    "documentFee",
    "cida",
    "preBid",
    "submission",
    "lots",
];

/// The value at a path, or null.
pub(crate) fn value_at(tender: &Tender, path: &str) -> Value {
    serde_json::to_value(tender).map_or(Value::Null, |record| json_at(&record, path).clone())
}

/// The value at a path of a JSON record, or null.
pub fn json_at<'r>(record: &'r Value, path: &str) -> &'r Value {
    path.split('.').fold(record, |value, name| value.get(name).unwrap_or(&Value::Null))
}

/// The tender with a new value at a path. `None` if the field does not accept the value.
pub(crate) fn with_value(tender: &Tender, path: &str, value: Value) -> Option<Tender> {
    let mut record = serde_json::to_value(tender).ok()?;
    set_json(&mut record, path, value)?;
    serde_json::from_value(record).ok()
}

/// Writes a value at a path of a JSON record. Null removes the field. `None` if a parent of the
/// path is not an object.
pub(crate) fn set_json(record: &mut Value, path: &str, value: Value) -> Option<()> {
    let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut place = record;
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        place = place.as_object_mut()?.entry(parent).or_insert_with(|| Value::Object(Map::new()));
    }
    let place = place.as_object_mut()?;
    if value.is_null() {
        place.remove(name)
    } else {
        place.insert(name.to_owned(), value)
    };
    Some(())
}

/// Whether a value carries no information: null, `false`, a blank text, an empty list, or an
/// object of such values.
#[must_use]
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Whether `path` is the path of `field` or of a field inside it.
pub(crate) fn is_within(path: &str, field: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The paths of the leaves of editable fields that differ between two tenders.
#[must_use]
pub fn changed_paths(before: &Tender, after: &Tender) -> Vec<String> {
    let json = |tender: &Tender| serde_json::to_value(tender).unwrap_or_default();
    let (old, new) = (json(before), json(after));
    let mut paths = Vec::new();
    for name in EDITABLE {
        for json in [&old, &new] {
            push_leaves(name, json_at(json, name), &mut paths);
        }
    }
    paths.retain(|path| json_at(&old, path) != json_at(&new, path));
    paths
}

/// Appends the paths of the leaves at and below `path`, without repetition. A list counts as one
/// leaf.
pub fn push_leaves(path: &str, value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields {
                push_leaves(&format!("{path}.{name}"), value, paths);
            }
        }
        _ if paths.iter().any(|known| known == path) => {}
        _ => paths.push(path.to_owned()),
    }
}
