//! Entries in the audit log for what administrators change in the tenders of others. The entries are
//! bounded: of each changed field, they contain the beginning of its value.

use crate::{
    base::i18n::mail_texts::shortened,
    domain::audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
    storage::audit_log,
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use tender_model::{fields, tender::Tender};
use uuid::Uuid;

/// The maximum number of characters of a value.
const MAX_VALUE_LENGTH: usize = 200;
/// The maximum number of fields. Further fields are only counted.
const MAX_FIELDS: usize = 30;
/// The fields of a contact person. Their values are personal data, which the log does not contain.
const PERSONAL_FIELDS: &str = "organization.contactPerson";
/// What an entry shows for a value that it does not contain.
const NOT_RECORDED: &str = "(not recorded)";

/// Records an action about a tender.
pub(super) async fn record(
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    tender: Uuid,
    (before, after): (Option<Value>, Option<Value>),
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let subject_id = &tender.to_string();
    let entry = NewAuditEntry { actor, action, subject: AuditSubject::Tender, subject_id, before, after };
    audit_log::insert(tx, &entry, at).await
}

/// The status and the title of a tender.
pub(super) fn summary(tender: &Tender) -> Value {
    json!({"status": tender.status, "title": shortened(&tender.title, MAX_VALUE_LENGTH)})
}

/// The values of the fields that differ, before and after.
pub(super) fn changed_values(before: &Tender, after: &Tender) -> (Value, Value) {
    let json = |tender: &Tender| serde_json::to_value(tender).unwrap_or_default();
    let (old, new) = (json(before), json(after));
    let mut changed = fields::changed_paths(before, after);
    changed.extend(["status", "visibility", "documents"].map(str::to_owned));
    let value = |json: &Value, path: &str| {
        json.pointer(&format!("/{}", path.replace('.', "/"))).cloned().unwrap_or_default()
    };
    changed.retain(|path| value(&old, path) != value(&new, path));
    let (mut from, mut to) = (Map::new(), Map::new());
    for path in changed.iter().take(MAX_FIELDS) {
        from.insert(path.clone(), recorded(path, value(&old, path)));
        to.insert(path.clone(), recorded(path, value(&new, path)));
    }
    if let Some(more) = changed.len().checked_sub(MAX_FIELDS).filter(|more| *more > 0) {
        to.insert("more".to_owned(), json!(more));
    }
    (Value::Object(from), Value::Object(to))
}

/// The form of a value in an entry.
fn recorded(path: &str, value: Value) -> Value {
    let text = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return value,
        _ if path.starts_with(PERSONAL_FIELDS) => return Value::from(NOT_RECORDED),
        Value::String(text) => text,
        Value::Array(items) => {
            let names = items.iter().map(|item| item.get("name").unwrap_or(item));
            let names = names.map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_owned));
            names.collect::<Vec<_>>().join(", ")
        }
        Value::Object(_) => value.to_string(),
    };
    Value::from(shortened(&text, MAX_VALUE_LENGTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_values_are_bounded_and_not_personal() {
        let before = Tender { title: "Chairs".into(), tags: vec!["a".into()], ..Tender::default() };
        let mut after =
            Tender { description: "x ".repeat(5000), tags: vec!["a".into(), "b".into()], ..before.clone() };
        after.organization.contact_person.email = Some("nimal@example.lk".into());
        let (old, new) = changed_values(&before, &after);
        assert_eq!((&old["tags"], &new["tags"]), (&json!("a"), &json!("a, b")));
        assert_eq!(new["organization.contactPerson.email"], NOT_RECORDED);
        assert!(old.get("title").is_none() && new.get("title").is_none(), "the title is unchanged");
        assert!(new["description"].as_str().unwrap().chars().count() <= MAX_VALUE_LENGTH, "{new}");
    }
}
