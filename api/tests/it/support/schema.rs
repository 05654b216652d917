//! Validates the subset of JSON Schema that utoipa writes. An unknown keyword fails the test, so
//! that nothing is skipped. Undeclared properties are errors too.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Keywords without constraints.
const SILENT: [&str; 8] =
    ["description", "title", "default", "example", "examples", "deprecated", "readOnly", "contentMediaType"];

/// Returns the errors of a value, one per line with its path.
pub fn check(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    walk(document, schema, value, "$", &mut wrong, &mut known);
    undeclared(value, "$", &known, &mut wrong);
    wrong
}

/// `known` collects the paths of all declared properties.
fn walk(
    document: &Value,
    schema: &Value,
    value: &Value,
    path: &str,
    wrong: &mut Vec<String>,
    known: &mut BTreeSet<String>,
) {
    let Some(schema) = schema.as_object() else {
        if schema != &Value::Bool(true) {
            wrong.push(format!("{path}: not a schema: {schema}"));
        }
        return;
    };
    if schema.keys().all(|key| SILENT.contains(&key.as_str())) {
        // Any value: its content is declared.
        known.insert(format!("{path}.**"));
    }
    for (keyword, rule) in schema {
        match keyword.as_str() {
            "$ref" => match rule.as_str().and_then(|at| document.pointer(at.trim_start_matches('#'))) {
                Some(named) => walk(document, named, value, path, wrong, known),
                None => wrong.push(format!("{path}: {rule} leads nowhere")),
            },
            "type" => {
                let types: Vec<&str> = match rule {
                    Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                    one => one.as_str().into_iter().collect(),
                };
                if !types.iter().any(|name| is_of(value, name)) {
                    wrong.push(format!("{path}: {value} is not of type {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().is_some_and(|values| values.contains(value)) {
                    wrong.push(format!("{path}: {value} is none of {rule}"));
                }
            }
            "properties" => properties(document, rule, value, path, wrong, known),
            "required" => {
                for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|object| !object.contains_key(name)) {
                        wrong.push(format!("{path}.{name}: missing"));
                    }
                }
            }
            "additionalProperties" => {
                let declared = schema.get("properties").and_then(Value::as_object);
                for (name, item) in value.as_object().unwrap_or(&Map::new()) {
                    if declared.is_none_or(|declared| !declared.contains_key(name)) {
                        known.insert(format!("{path}.{name}"));
                        walk(document, rule, item, &format!("{path}.{name}"), wrong, known);
                    }
                }
            }
            "propertyNames" => {
                for name in value.as_object().unwrap_or(&Map::new()).keys() {
                    walk(
                        document,
                        rule,
                        &Value::from(name.as_str()),
                        &format!("{path}.{name}"),
                        wrong,
                        known,
                    );
                }
            }
            "items" => {
                for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
                    walk(document, rule, item, &format!("{path}[{nth}]"), wrong, known);
                }
            }
            "allOf" => {
                for part in rule.as_array().into_iter().flatten() {
                    walk(document, part, value, path, wrong, known);
                }
            }
            "oneOf" | "anyOf" => {
                let fitting = rule.as_array().into_iter().flatten().find_map(|part| {
                    let (mut part_wrong, mut part_known) = (Vec::new(), BTreeSet::new());
                    walk(document, part, value, path, &mut part_wrong, &mut part_known);
                    part_wrong.is_empty().then_some(part_known)
                });
                match fitting {
                    Some(declared) => known.extend(declared),
                    None => wrong.push(format!("{path}: {value} fits no part of {rule}")),
                }
            }
            "minimum" | "maximum" => {
                let beyond = value.as_f64().zip(rule.as_f64()).is_some_and(|(value, bound)| {
                    if keyword == "minimum" { value < bound } else { value > bound }
                });
                if beyond {
                    wrong.push(format!("{path}: {value} is beyond {keyword} {rule}"));
                }
            }
            "minItems" | "maxItems" => {
                let count = value.as_array().map(|items| items.len() as u64).zip(rule.as_u64());
                if count.is_some_and(|(n, bound)| if keyword == "minItems" { n < bound } else { n > bound }) {
                    wrong.push(format!("{path}: has not {keyword} {rule}"));
                }
            }
            "pattern" => {
                let pattern = regex::Regex::new(rule.as_str().unwrap_or_default()).unwrap();
                if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                    wrong.push(format!("{path}: {value} is not of the form {rule}"));
                }
            }
            "format" => format(rule.as_str().unwrap_or_default(), value, path, wrong),
            silent if SILENT.contains(&silent) => {}
            unknown => wrong.push(format!("{path}: this reader does not know the keyword {unknown}")),
        }
    }
}

fn properties(
    document: &Value,
    rule: &Value,
    value: &Value,
    path: &str,
    wrong: &mut Vec<String>,
    known: &mut BTreeSet<String>,
) {
    for (name, schema) in rule.as_object().unwrap_or(&Map::new()) {
        let at = format!("{path}.{name}");
        if let Some(item) = value.get(name) {
            walk(document, schema, item, &at, wrong, known);
        }
        known.insert(at);
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

fn format(name: &str, value: &Value, path: &str, wrong: &mut Vec<String>) {
    let Some(text) = value.as_str() else { return };
    let fits = match name {
        "uuid" => uuid::Uuid::try_parse(text).is_ok(),
        "date-time" => text.parse::<jiff::Timestamp>().is_ok(),
        "date" => text.parse::<jiff::civil::Date>().is_ok(),
        "email" => text.contains('@'),
        _ => true,
    };
    if !fits {
        wrong.push(format!("{path}: {text:?} is no {name}"));
    }
}

fn undeclared(value: &Value, path: &str, known: &BTreeSet<String>, wrong: &mut Vec<String>) {
    if known.contains(&format!("{path}.**")) {
        return;
    }
    match value {
        Value::Object(object) => {
            for (name, item) in object {
                let at = format!("{path}.{name}");
                if known.contains(&at) {
                    undeclared(item, &at, known, wrong);
                } else {
                    wrong.push(format!("{at}: undeclared"));
                }
            }
        }
        Value::Array(items) => {
            for (nth, item) in items.iter().enumerate() {
                undeclared(item, &format!("{path}[{nth}]"), known, wrong);
            }
        }
        _ => {}
    }
}
